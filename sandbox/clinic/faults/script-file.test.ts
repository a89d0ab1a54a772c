import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/platform/failure.ts';
import { parseFaults, startSandbox } from '../clinic.ts';

const problems = (text: string) => {
  try {
    parseFaults(text, 'faults.yaml');
  } catch (error) {
    expect.assert(error instanceof Failure);
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
};

describe('a fault script from a file', () => {
  it('is a YAML list that a sandbox accepts unchanged', async () => {
    const faults = parseFaults(
      `
- match: { endpoint: book }
  nth: 2
  times: always
  fault: reset_after_commit
- fault: { kind: late_answer, ms: 20 }
`,
      'faults.yaml',
    );

    const sandbox = await startSandbox({ faults });

    expect(sandbox.control.faults().map(({ fault }) => fault)).toEqual([
      { match: { endpoint: 'book' }, nth: 2, times: 'always', fault: { kind: 'reset_after_commit' } },
      { match: {}, nth: 1, times: 1, fault: { kind: 'late_answer', ms: 20 } },
    ]);
    await sandbox.close();
  });

  it('is JSON as well, and may be an object with a list called faults', () => {
    const faults = parseFaults('{"faults":[{"fault":"status_500"}]}', 'faults.json');

    expect(faults).toEqual([{ match: {}, nth: 1, times: 1, fault: { kind: 'status_500' } }]);
  });

  it('lists all of its errors at once, with lines', () => {
    const found = problems(`
- fault: reset_commit
- nth: 0
  fault: status_500
- fault: { kind: late_answer, ms: soon }
- fault: silence_on_accept
  match: { endpoint: book }
- fault: no_id
  macth: {}
`);

    expect(found).toHaveLength(5);
    expect(found[0]).toBe('line 2: [0].fault.kind: is not a kind of fault; did you mean reset_after_commit?');
    expect(found[1]).toMatch(/^line 3: \[1\]\.nth: /);
    expect(found[2]).toMatch(/^line 5: \[2\]\.fault\.ms: /);
    expect(found[3]).toMatch(/^line 7: \[3\]\.match: .*can match nothing/);
    expect(found[4]).toMatch(/^line 8: \[4\]: .*macth/);
  });

  it.each([
    ['YAML that is none', '- fault: [', 1],
    ['an empty file', '', 1],
    ['a number', '7', 1],
  ])('refuses %s', (_what, text, count) => {
    expect(problems(text)).toHaveLength(count);
  });
});
