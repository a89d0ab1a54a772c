import { possibleDates, readFormat } from '../domain/date-time-format.ts';

/**
 * Why a date or time like this one is not read, and what to set so that it is next time; undefined when no format would
 * help. Does not quote what was written.
 *
 * @param what The field, in words.
 * @param setting How this door sets a format.
 */
export function unreadWhen(
  what: string,
  text: string,
  setting: (format: string) => string,
): string | undefined {
  const [first, other] = possibleDates(text);
  const format = first?.format ?? timeFormats.find((one) => isWritten(text, one));
  if (format === undefined) return undefined;
  return other === undefined
    ? `The ${what} is written as ${format}, which is not read unless this connector’s settings say so: ` +
        `${setting(format)}.`
    : `The ${what} can be read as ${format} or as ${other.format}, and nothing is guessed. Say which in this ` +
        `connector’s settings: ${setting(format)}.`;
}

/** Times that could be something else: `9.30`, `0930`. */
const timeFormats = ['H.mm', 'HHmm', 'H-mm', 'H mm'];
const isWritten = (text: string, format: string): boolean => readFormat(text, format)?.time !== undefined;
