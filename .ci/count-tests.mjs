// Usage: count-tests.mjs REPORT CODE. Names the tests that passed at their second attempt, prints what vitest's JSON report
// counted, as the last line, and passes failure on.
import { readFileSync } from 'node:fs';

const [file, code] = process.argv.slice(2);
let exitCode = Number(code);
let [passed, failed, skipped] = [0, 0, 0];
try {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  passed = report.numPassedTests;
  failed = report.numFailedTests;
  skipped = report.numPendingTests + report.numTodoTests;
  for (const { name, assertionResults } of report.testResults)
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === 'passed' && failureMessages?.length > 0)
        console.log(`Passed at the second attempt: ${name}: ${fullName}\n${failureMessages[0]}`);
} catch {
  console.error('The test runner wrote no report: an earlier step failed.');
}
// Nothing passed is a failure, and so is a type, a lint, or a file of tests that could not be loaded.
if (passed === 0 && exitCode === 0) exitCode = 1;
if (exitCode !== 0 && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = exitCode;
