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
      if (isOfLines(secret)) report(path, 'has a line break in it', 'Write it in one line.');
      judge(secret, path, { report, warn });
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

interface Reports {
  report: Report;
  warn: Report;
}

function secretIn(file: string, path: readonly PropertyKey[], { report, warn }: Reports): string {
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
    judge(secret, path, { report, warn });
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

/** What was pasted with a secret would be sent with it, and refused as a wrong secret. */
function judge(secret: string, path: readonly PropertyKey[], { report, warn }: Reports): void {
  if (KEY_OF_LINES.test(secret)) return;
  // Docker's --env-file and some secret stores keep quotes as a part of the value.
  if (/^(["']).*\1$/s.test(secret) && secret.length > 1)
    warn(path, 'has quotes around it, which count as a part of it', 'Take them away if they do not belong.');
  const hidden = HIDDEN.exec(secret);
  if (hidden !== null) {
    const code = `U+${hidden[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
    const where = `${code}, character ${hidden.index + 1}`;
    warn(
      path,
      `has a character in it that nobody sees (${where})`,
      'Type that part anew, or copy it as plain text.',
    );
  }
  const [, variable = ''] = ASSIGNMENT.exec(secret) ?? [];
  if (variable === '') return;
  const setting = String(path.at(-1)).replace(/_file$/i, '');
  const message = `begins with ${variable}=, like a line of an .env file`;
  const hint = `Leave out ${variable}= and write only what follows it.`;
  if (variable.toUpperCase().endsWith(setting.toUpperCase())) report(path, message, hint);
  else if (/^[A-Z]+_[A-Z0-9_]+$/.test(variable)) warn(path, message, hint);
}

/** Unusual spaces, control characters and what has no width. Line breaks have a fault of their own. */
const HIDDEN = /[^\P{Cc}\r\n]|(?! )\p{Zs}|[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;
/** Not the padding of Base64. */
const ASSIGNMENT = /^(?:export +)?([A-Za-z_][A-Za-z0-9_]{0,60}) ?= ?(?!=?$)/;

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
