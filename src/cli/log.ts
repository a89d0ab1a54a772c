import { destination, pino } from 'pino';
import { type Log, type LogFields, logFields } from '../platform/log.ts';
import { printable } from '../platform/printable.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

const listed: ReadonlySet<string> = new Set(logFields);
const isListed = (name: string): name is keyof LogFields => listed.has(name);

/**
 * Only listed fields, only scalars: an object could carry a patient or a secret. Escape sequences are made visible, because
 * people read logs in a terminal.
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

/** JSON lines, or pretty lines for a terminal. Synchronous: the last lines before an exit matter most. */
export async function createLog(level: Level, terminal: boolean): Promise<Log> {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = terminal
    ? pino(options, (await import('pino-pretty')).default({ sync: true, translateTime: 'SYS:HH:MM:ss' }))
    : pino(options, destination({ dest: 1, sync: true }));
  const at =
    (name: Level) =>
    (text: string, fields: LogFields = {}) =>
      logger[name](allowed(fields), text);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
