import { readTime } from '../domain/date-time.ts';
import { plainWriting } from './day.ts';

/** Words for the halves of a day, beside a time of twelve hours. */
const halves: readonly [RegExp, 'am' | 'pm'][] = [
  [
    /(?<!\p{L})(?:a\.? ?m\.?|오전|午前|上午|vorm\.?|vormittags|morgens|öö|ص|صباحاً?|पूर्वाह्न|सुबह|পূর্বাহ্ণ|সকাল|du matin|de la mañana|da manhã|di mattina|del mattino|rano)(?!\p{L})/iu,
    'am',
  ],
  [
    /(?<!\p{L})(?:p\.? ?m\.?|오후|午後|下午|nachm\.?|nachmittags|ös|م|مساءً?|अपराह्न|दोपहर|অপরাহ্ণ|বিকাল|দুপুর|de l['’]après-midi|de la tarde|da tarde|del pomeriggio|po południu)(?!\p{L})/iu,
    'pm',
  ],
];
/** Words that only say that it is a time. */
const units = /(?<=\d) ?(?:uhr|hrs?\.?|h|u|heures?|horas?|ore|uur|godz\.?|o'clock|시|時)$/iu;

/**
 * A time of day as HH:MM, from writings that lose nothing: `9:30`, `10h30`, `10:30 Uhr`, `10:30 a. m.`, `오전 10:30`; of
 * a slot (`10:00–10:30`), its beginning.
 */
export function readTimeOfDay(text: string): string | undefined {
  const plain = plainWriting(text);
  if (!/\d/.test(plain)) return undefined;
  return readOne(plain) ?? readSlotStart(plain);
}

function readOne(plain: string): string | undefined {
  const known = readTime(plain);
  if (known !== undefined) return known;
  const half = halves.find(([words]) => words.test(plain));
  const digits = (half === undefined ? plain : plain.replace(half[0], ' ')).trim();
  const clock = digits
    .replace(/^(?:T(?=\d)|(?:um|at|à|às|a las|las|alle|om|o|kl\.?|klokken|saat|godz\.?) )/i, '')
    .replace(/^(\d{1,2}) ?(?:[hHu]|:|시|時) ?(\d{2}) ?(?:분|分|min|m)?(?=$| )/u, '$1:$2')
    .replace(units, '');
  const isDotted = /^\d{1,2}\.\d{2}$/.test(clock) && clock !== digits;
  const hour = /^\d{1,2}$/.test(clock) && (half !== undefined || clock !== digits) ? `${clock}:00` : clock;
  return readTime(`${isDotted ? clock.replace('.', ':') : hour}${half === undefined ? '' : ` ${half[1]}`}`);
}

const between = / ?(?:-|~|→|->| to | bis | until | till | a | à | al | tot | do ) ?/iu;

/** Both ends must be times of the same writing, the end after the beginning: `3:30 - 4 PM` has two readings. */
function readSlotStart(plain: string): string | undefined {
  const parts = plain.replace(/^(?:from|von|de|dalle|van|od) /i, '').split(between);
  const [start, end] = parts.map((part) => readOne(part));
  if (parts.length !== 2 || start === undefined || end === undefined || end <= start) return undefined;
  const hasHalf = (part: string | undefined) => halves.some(([words]) => words.test(part ?? ''));
  return hasHalf(parts[0]) === hasHalf(parts[1]) ? start : undefined;
}
