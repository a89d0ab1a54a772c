import { createHmac } from 'node:crypto';
import type { MirrorView } from '../../../src/connector.ts';
import type { Submission } from '../../../src/domain/bookings/booking.ts';
import { phoneEnd } from '../../../src/domain/phone.ts';
import { fold } from '../../../src/platform/text/fold.ts';
import { asText } from '../mapping/fields.ts';

interface Person {
  name: string;
  phone: string;
}

const personOf = (name: string, phone: string): Person => ({
  name: fold(name),
  phone: phoneEnd(phone),
});

/** Nothing is shared by two who left a field empty. */
const isOne = (one: Person, other: Person): boolean =>
  [one.name, one.phone].every((text) => text === '') ||
  (one.name !== '' && one.name === other.name) ||
  (one.phone !== '' && one.phone === other.phone);

/**
 * What tells a person from the one who first sent the same rendered form; undefined for that one. A page that something
 * in front keeps for everybody has the same id for strangers: who shares neither name nor number with the stored lead
 * is another person.
 */
export async function otherPerson(
  view: MirrorView,
  { clinic, submissionId, key }: { clinic: string; submissionId: string; key: string },
  { fields }: Pick<Submission, 'fields'>,
): Promise<string | undefined> {
  const [first] = await view.ownBookingsBySubmission(clinic, [submissionId]);
  const person = personOf(asText(fields.patient_name), asText(fields.patient_phone));
  if (first === undefined || isOne(personOf(first.patient_name ?? '', first.patient_phone ?? ''), person))
    return undefined;
  return createHmac('sha256', key)
    .update(`clinic-sync person\n${person.name || person.phone}`)
    .digest('base64url')
    .slice(0, 16);
}
