import { wallClockInstant } from '../../../src/domain/date-time.ts';
import { MINUTE } from '../../../src/platform/duration.ts';

/** The visit that a visitor requested. */
export interface RequestedVisit {
  /** YYYY-MM-DD and HH:MM on the clinic's wall clock. */
  date: string;
  time: string;
  /** How long the treatment takes; undefined when the clinic does not say. */
  minutes?: number;
}

interface CalendarEntry {
  visit: RequestedVisit;
  zone: string;
  nowMs: number;
  /** The booking's reference, unique for ever. */
  id: string;
  title: string;
  about: string;
  location: string | null;
}

/**
 * An iCalendar file with one tentative event (RFC 5545). It does not depend on the fate of the request, which would
 * show whether someone with this phone number already has a booking.
 */
export function calendarFile({ visit, zone, nowMs, id, title, about, location }: CalendarEntry): string {
  const { ms } = wallClockInstant(visit.date, visit.time, zone);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//clinic-sync//form//EN',
    'BEGIN:VEVENT',
    `UID:${id}@clinic-sync`,
    `DTSTAMP:${stamp(nowMs)}`,
    `DTSTART:${stamp(ms)}`,
    // Without an end rather than with an invented one.
    ...(visit.minutes === undefined ? [] : [`DTEND:${stamp(ms + visit.minutes * MINUTE)}`]),
    'STATUS:TENTATIVE',
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(about)}`,
    ...(location === null ? [] : [`LOCATION:${escaped(location)}`]),
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(folded).join('\r\n')}\r\n`;
}

/** `20260310T043000Z` */
const stamp = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');

/** Escapes text (section 3.3.11). */
const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n');

const LONGEST_LINE = 75;

/** Folds lines to at most 75 octets, never within a character (section 3.1). */
function folded(line: string): string {
  const lines = [''];
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LONGEST_LINE) {
      lines.push(' ');
      octets = 1;
    }
    lines[lines.length - 1] += character;
    octets += size;
  }
  return lines.join('\r\n');
}
