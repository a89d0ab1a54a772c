import { command } from '../command.ts';
import { completionScripts, isZsh } from '../completion.ts';

export const completion = command({
  name: 'completion [shell]',
  describe: 'Print a script that completes commands in bash or zsh',
  args: {
    shell: { choices: ['bash', 'zsh'], describe: 'Which shell; default: the shell of $SHELL' },
  },
  examples: {
    'completion bash >> ~/.bashrc': 'in every new shell',
    'completion zsh >> ~/.zshrc': 'after compinit',
  },
  async run(io, { shell }) {
    io.out(completionScripts[(shell as 'bash' | 'zsh' | undefined) ?? (isZsh(io) ? 'zsh' : 'bash')]);
  },
});
