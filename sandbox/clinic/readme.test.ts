import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseFaults, startSandbox } from './clinic.ts';
import { endpoints } from './routes.ts';

const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('has a fault script that a sandbox takes', async () => {
    const text = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';

    const sandbox = await startSandbox({ faults: parseFaults(text, 'README.md') });

    expect(sandbox.control.faults()).toHaveLength(3);
    await sandbox.close();
  });

  it('names every endpoint, verb and view', async () => {
    const sandbox = await startSandbox();
    const { views, verbs } = (await (await fetch(sandbox.controlUrl)).json()) as {
      views: string[];
      verbs: { verb: string }[];
    };
    await sandbox.close();

    for (const endpoint of endpoints) expect(readme).toContain(`\`${endpoint}\``);
    for (const view of views) expect(readme).toContain(view);
    for (const { verb } of verbs) expect(readme).toContain(verb.replace('POST ', '`'));
  });
});
