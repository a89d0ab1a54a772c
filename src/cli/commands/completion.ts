import { command } from '../command.ts';
import { completionScripts, shellOf, shells } from '../completion.ts';

export const completion = command({
  name: 'completion [shell]',
  describe: 'Print a script that completes commands in bash, zsh or fish',
  hasNoJson: true,
  args: {
    shell: { choices: shells, describe: 'Which shell; default: the shell of $SHELL' },
  },
  examples: {
    'completion bash >> ~/.bashrc': 'in every new shell',
    'completion zsh >> ~/.zshrc': 'after compinit',
    'completion fish > ~/.config/fish/completions/clinic-sync.fish': 'fish reads it by itself',
  },
  async run(io, { shell }) {
    io.out(completionScripts[shell ?? shellOf(io)]);
  },
});
