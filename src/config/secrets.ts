import { existsSync, readFileSync, statSync } from 'node:fs';
import { codeOf } from '../platform/failure.ts';

/** Reads a secret that is given either as a value or as a file. Reports any fault and then returns ''. */
export type ReadSecret = (
  path: readonly PropertyKey[],
  value: string | undefined,
  file: string | undefined,
) => string;

export function secretReader(report: Report, warn: Report = () => {}): ReadSecret {
  return (path, value, file) => {
    const name = String(path.at(-1));
    if (value !== undefined && file !== undefined) {
      report(path, `is given twice, as ${name} and as ${name}_file`, 'Keep one of them.');
      return '';
    }
    if (value !== undefined) {
      const secret = value.trim();
      warnOfQuotes(secret, path, warn);
      if (isOfLines(secret)) report(path, 'has a line break in it', 'Write it in one line.');
      return secret;
    }
    if (file === undefined) {
      report(path, 'is required', `Give ${name}, or ${name}_file with the path of a file that holds it.`);
      return '';
    }
    return secretIn(file, [...path.slice(0, -1), `${name}_file`], { report, warn });
  };
}

export type Report = (path: readonly PropertyKey[], message: string, hint: string) => void;

function secretIn(
  file: string,
  path: readonly PropertyKey[],
  { report, warn }: { report: Report; warn: Report },
): string {
  try {
    const bytes = readFileSync(file);
    if (bytes.includes(0)) {
      const hint = 'Save it as UTF-8; in PowerShell: Set-Content -Encoding ascii -NoNewline.';
      report(path, `names ${file}, which is UTF-16 or binary`, hint);
      return '';
    }
    const secret = bytes.toString().trim();
    if (othersMayWrite(file)) warn(path, `names ${file}, which every user may write`, `chmod 600 ${file}`);
    if (secret === '') report(path, `names ${file}, which is empty`, 'Write the secret into it.');
    else if (isOfLines(secret))
      report(path, `names ${file}, which has several lines`, 'Write only the secret into it, in one line.');
    warnOfQuotes(secret, path, warn);
    return secret;
  } catch (error) {
    const code = codeOf(error) ?? 'unknown error';
    const hint = 'Check the path, the mount and the permissions.';
    report(path, `names ${isPath(file) ? file : 'a file'}, which cannot be read (${code})`, hint);
    return '';
  }
}

/**
 * Otherwise it may be the secret itself, pasted in the wrong place, which must not be printed: Base64 has slashes, too.
 */
const isPath = (file: string): boolean => {
  const [first = ''] = /^[/\\]?[^/\\]+[/\\]/.exec(file) ?? [];
  return first === '' ? /^[\w-]{1,30}\.[a-z]{2,5}$/i.test(file) : existsSync(first);
};

/** Docker's --env-file and some secret stores keep quotes as a part of the value. */
function warnOfQuotes(secret: string, path: readonly PropertyKey[], warn: Report): void {
  if (/^(["']).*\1$/s.test(secret) && secret.length > 1)
    warn(path, 'has quotes around it, which count as a part of it', 'Take them away if they do not belong.');
}

/** The start of a key in PEM or JSON, as a connector of another package may take. */
const KEY_OF_LINES = /^(-----BEGIN |\{)/;
const isOfLines = (secret: string): boolean => /[\r\n]/.test(secret) && !KEY_OF_LINES.test(secret);

/** Whoever can write a secret can replace it. World-readable is accepted: Docker mounts secrets so. */
const othersMayWrite = (file: string): boolean => (statSync(file).mode & 0o002) !== 0;

/** The secret that is in this file now; undefined for none, and while it is being replaced. */
export function secretNow(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  let isWrong = false;
  const report = () => {
    isWrong = true;
  };
  const secret = secretIn(file, [], { report, warn() {} });
  return isWrong ? undefined : secret;
}
