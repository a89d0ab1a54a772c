import { destination, pino } from 'pino';
import { type Log, type LogFields, logFields } from '../platform/log.ts';
import { printable } from '../platform/printable.ts';

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

/**
 * JSON lines, or pretty lines for a terminal, all written before the process ends. The JSON lines of one event-loop
 * turn share one write, because a write costs more than a line; a warning or an error is flushed at once.
 */
export async function createLog(level: Level, terminal: boolean): Promise<Log> {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const lines = turnsOfLines();
  const logger = terminal
    ? pino(options, (await import('pino-pretty')).default({ sync: true, translateTime: 'SYS:HH:MM:ss' }))
    : pino(options, lines);
  const at =
    (name: Level) =>
    (text: string, fields: LogFields = {}) => {
      logger[name](allowed(fields), text);
      if (name === 'warn' || name === 'error') lines.flush();
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function turnsOfLines(): { write(line: string): void; flush(): void } {
  const output = destination({ dest: 1, sync: true });
  let lines = '';
  const flush = () => {
    if (lines === '') return;
    const text = lines;
    lines = '';
    output.write(text);
  };
  process.once('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
    flush,
  };
}
