import { pino } from 'pino';
import { type Log, type LogFields, type LogOutput, logFields } from '../platform/log.ts';
import { printable } from '../platform/text/printable.ts';
import { createLineOutput } from './log-output.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

const listed: ReadonlySet<string> = new Set(logFields);
const isListed = (name: string): name is keyof LogFields => listed.has(name);

/**
 * Keeps only listed fields and scalars: an object could carry a patient or a secret. Escape sequences are made visible,
 * because people read logs in a terminal.
 */
function allowed(fields: LogFields): LogFields {
  const kept: LogFields = {};
  for (const name in fields) {
    if (!isListed(name)) continue;
    const value = fields[name];
    if (typeof value === 'string') kept[name] = printable(value);
    else if (typeof value === 'number' || typeof value === 'boolean') kept[name] = value;
  }
  return kept;
}

/** JSON lines, or pretty lines for a terminal. A warning or an error is written at once, other lines once a turn. */
export async function createLog(level: Level, terminal: boolean): Promise<{ log: Log; output: LogOutput }> {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const output = createLineOutput({
    fd: 1,
    onResumed: (count, since) =>
      log.warn('log lines were dropped while nothing took them', { count, at: since }),
  });
  const pretty = terminal
    ? (await import('pino-pretty')).prettyFactory({ translateTime: 'SYS:HH:MM:ss' })
    : (line: string) => line;
  const logger = pino(options, { write: (line: string) => output.write(pretty(line)) });
  const at =
    (name: Level) =>
    (text: string, fields: LogFields = {}) => {
      logger[name](allowed(fields), text);
      if (name === 'warn' || name === 'error') output.flush();
    };
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { log, output };
}
