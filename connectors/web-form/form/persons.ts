import { createHmac } from 'node:crypto';
import type { Submission } from '../../../src/domain/booking.ts';
import { fold } from '../../../src/platform/fold.ts';
import { asText } from '../mapping/fields.ts';

/** Beyond this, the oldest are forgotten; what another person then sends is held beside the first. */
const REMEMBERED = 5_000;
/** Digits that a number has in common with and without its country's prefix. */
const COMPARED_DIGITS = 8;

interface Person {
  name: string;
  phone: string;
}

/** Nothing is shared by two who left a field empty. */
const isOne = (one: Person, other: Person): boolean =>
  [one.name, one.phone].every((text) => text === '') ||
  (one.name !== '' && one.name === other.name) ||
  (one.phone !== '' && one.phone === other.phone);

export type Persons = ReturnType<typeof createPersons>;

/**
 * Who first sent a rendered form. A page that something in front keeps for everybody has the same id for strangers: who
 * shares neither name nor number with the first is another person. Keeps digests only, until a restart.
 */
export function createPersons(key: string) {
  const first = new Map<string, Person>();
  const digest = (text: string) =>
    text === ''
      ? ''
      : createHmac('sha256', key).update(`clinic-sync person\n${text}`).digest('base64url').slice(0, 16);
  const personOf = ({ fields }: Pick<Submission, 'fields'>): Person => ({
    name: digest(fold(asText(fields.patient_name))),
    phone: digest(
      asText(fields.patient_phone)
        .replace(/\P{Nd}/gu, '')
        .slice(-COMPARED_DIGITS),
    ),
  });

  return {
    /** Undefined for the first one, who is remembered. Otherwise what tells this person from the others. */
    other(formId: string, submission: Pick<Submission, 'fields'>): string | undefined {
      const person = personOf(submission);
      const before = first.get(formId);
      if (before !== undefined) return isOne(before, person) ? undefined : person.name || person.phone;
      first.set(formId, person);
      const oldest = first.size > REMEMBERED ? first.keys().next().value : undefined;
      if (oldest !== undefined) first.delete(oldest);
      return undefined;
    },
  };
}
