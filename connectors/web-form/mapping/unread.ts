import { possibleDates } from '../../../src/domain/date-time-format.ts';

/**
 * What to set so that a date or time like this one is read next time; undefined when no format would help. Does not
 * quote what a visitor wrote.
 */
export function unreadFault(text: string, format: string | undefined): string | undefined {
  if (text === '') return undefined;
  if (format !== undefined) return `It is not written as ${format}, as this connector’s settings say.`;
  const [first, other] = possibleDates(text);
  if (first === undefined) return undefined;
  const setting = `\`fields: { appointment_date: { from: NAME OF THE FIELD, format: ${quoted(first.format)} } }\``;
  return other === undefined
    ? `It is written as ${first.format}, which is not read unless this connector’s settings say so: ${setting}.`
    : `It can be read as ${first.format} or as ${other.format}, and nothing is guessed. Say which in this connector’s settings: ${setting}.`;
}

/** YAML takes a colon or a space within braces only in quotes. */
const quoted = (format: string): string => (/[: ]/.test(format) ? `"${format}"` : format);
