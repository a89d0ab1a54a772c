// Usage: count-tests.mjs CODE REPORT… Names the tests that passed at their second attempt, prints what vitest's JSON reports
// counted, as the last line, and passes failure on.
import { readFileSync } from 'node:fs';

const [code, ...files] = process.argv.slice(2);
let exitCode = Number(code);
/** What became of each test: a tier reports the tests of the other one as skipped. */
const outcomes = new Map();
for (const file of files)
  try {
    for (const { name, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
      const seen = new Map();
      for (const { status, fullName, failureMessages } of assertionResults) {
        const nth = (seen.get(fullName) ?? 0) + 1;
        seen.set(fullName, nth);
        const test = `${name}: ${fullName} (${nth})`;
        if (!['passed', 'failed'].includes(outcomes.get(test))) outcomes.set(test, status);
        if (status === 'passed' && failureMessages?.length > 0)
          console.log(`Passed at the second attempt: ${name}: ${fullName}\n${failureMessages[0]}`);
      }
    }
  } catch {
    console.error(`The test runner wrote no ${file}: an earlier step failed.`);
    exitCode ||= 1;
  }
const count = (wanted) => [...outcomes.values()].filter((status) => status === wanted).length;
const [passed, failures] = [count('passed'), count('failed')];
// Nothing passed is a failure, and so is a type, a lint, or a file of tests that could not be loaded.
if (passed === 0) exitCode ||= 1;
const failed = exitCode !== 0 && failures === 0 ? 1 : failures;
console.log(`${passed} passed, ${failed} failed, ${outcomes.size - passed - failures} skipped`);
process.exitCode = exitCode;
