// Runs the checks other than tests in parallel and prints the output of those that fail, one after the other.
import { spawn } from 'node:child_process';

const checks = ['typecheck', 'declarations', 'lint', 'deadcode', 'lock', 'licences'];

const run = (name) =>
  new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.on('close', (code) => resolve({ name, code, output }));
  });

const failed = (await Promise.all(checks.map(run))).filter(({ code }) => code !== 0);
for (const { name, output } of failed) console.error(`npm run ${name}\n\n${output}`);
if (failed.length > 0) console.error(`Not passed: ${failed.map(({ name }) => name).join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
