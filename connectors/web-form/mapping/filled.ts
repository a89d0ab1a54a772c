import type { Target } from '../../../src/domain/bookings/field-labels.ts';
import type { CampaignField } from '../../../src/domain/campaign.ts';
import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { nameInParts } from '../../../src/reading/person-name.ts';
import { callingCode, isInternational, phoneInParts, withCountry } from '../../../src/reading/read-phone.ts';
import { whenInParts } from '../../../src/reading/when-parts.ts';
import { closeName, fieldText, findField, findLabel } from './fields.ts';
import { type FieldSource, fillTemplate, isTemplate, placeholdersOf } from './rule.ts';

export interface Filled {
  value: Json;
  text: string;
  /** Several answers, or no text at all. */
  isOdd?: boolean;
  rule?: FieldSource;
  /** Under the booking's own name, with which a rule could take precedence or not. */
  own?: 'first' | 'unless ruled';
}

export const present = (filled: Filled | undefined): Json | undefined =>
  filled === undefined || filled.value === null || filled.text === '' ? undefined : filled.value;

/** Keeps the value unchanged, so that a value other than text is held instead of silently converted. */
export function fromOwn(
  name: Target | CampaignField,
  fields: JsonObject,
  used: Set<string>,
  own: Filled['own'] & string = 'first',
): Filled | undefined {
  const value = fields[name] ?? null;
  const text = fieldText(value);
  if (value === null || text === '') return undefined;
  used.add(name);
  return { value, text, own };
}

export const constant = (value: string | number): Filled => ({ value, text: String(value) });

/** A name, a number, a date and a time may come in parts. */
function answerText(target: Target | undefined, value: Json | undefined, pick?: FieldSource['pick']): string {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (target === 'patient_name') return nameInParts(one ?? null) ?? fieldText(value, pick);
  if (target === 'appointment_date' || target === 'appointment_time')
    return whenInParts(one ?? null) ?? fieldText(value, pick);
  const phone = target === 'patient_phone' ? phoneInParts(one ?? null) : undefined;
  return phone?.kind === 'value' ? phone.value : fieldText(value, pick);
}

/** More than one answer, or a yes or no. */
const isOddAnswer = (value: Json | undefined): boolean =>
  typeof value === 'boolean' ||
  phoneInParts(value ?? null).kind === 'unclear' ||
  (Array.isArray(value) && value.filter((one) => fieldText(one) !== '').length > 1);

export function fromSource(
  rule: FieldSource,
  fields: JsonObject,
  used: Set<string>,
  target?: Target,
): Filled | undefined {
  let isOdd = false;
  const look = (name: string) => {
    const found = findField(fields, name);
    if (found) used.add(found.name);
    isOdd ||= rule.pick === 'all' && isOddAnswer(found?.value);
    return answerText(target, found?.value, rule.pick);
  };
  for (const from of rule.from) {
    const names = placeholdersOf(from);
    const text = isTemplate(from) ? fillTemplate(from, look) : look(from);
    // A template counts as empty when all its fields are.
    if (text === '' || (names.length > 0 && names.every((name) => look(name) === ''))) continue;
    const option =
      rule.options && Object.entries(rule.options).find(([name]) => closeName(name) === closeName(text));
    const value = option ? option[1] : text;
    return { value, text: String(value), rule, isOdd };
  }
  return undefined;
}

export function fromLabels(
  labels: readonly string[],
  fields: JsonObject,
  used: Set<string>,
  target?: Target,
): Filled | undefined {
  for (const label of labels) {
    const names = isTemplate(label) ? placeholdersOf(label) : [label];
    const found = names.map((name) => findLabel(fields, name));
    const texts = new Map(names.map((name, index) => [name, answerText(target, found[index]?.value)]));
    if ([...texts.values()].some((text) => text === '')) continue;
    for (const one of found) if (one) used.add(one.name);
    const text = isTemplate(label)
      ? fillTemplate(label, (name) => texts.get(name) ?? '')
      : (texts.get(label) ?? '');
    return { value: text, text, isOdd: found.some((one) => isOddAnswer(one?.value)) };
  }
  return undefined;
}

const countryLabels = [
  ...[
    'country code',
    'phone country code',
    'country calling code',
    'calling code',
    'dial code',
    'dialing code',
  ],
  ...['dialling code', 'phone code', 'phone prefix', 'isd code', 'isd'],
];

/** A country code in a field of its own belongs in front of the number: without it, somebody else is called. */
export function addCountry(phone: Filled | undefined, fields: JsonObject, used: Set<string>): void {
  if (phone === undefined || phone.own || isInternational(phone.text)) return;
  const code = countryLabels
    .map((label) => findLabel(fields, label))
    .find((found) => callingCode(fieldText(found?.value)) !== undefined);
  if (code === undefined) return;
  phone.text = withCountry(fieldText(code.value), phone.text);
  phone.value = phone.text;
  used.add(code.name);
}
