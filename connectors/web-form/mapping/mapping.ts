import { type FieldFault, type Submission, submissionFields } from '../../../src/domain/bookings/booking.ts';
import { fieldWords } from '../../../src/domain/bookings/booking-content.ts';
import { labelKey, type Target, targets } from '../../../src/domain/bookings/field-labels.ts';
import {
  type CampaignField,
  campaignFields,
  campaignLabels,
  type SentCampaign,
} from '../../../src/domain/campaign.ts';
import type { JsonObject } from '../../../src/platform/json.ts';
import { statusQuestion } from '../../../src/reading/read-status.ts';
import { withListedAnswers } from './field-lists.ts';
import { closeName, fieldText, limited } from './fields.ts';
import { addCountry, constant, type Filled, fromLabels, fromOwn, fromSource, present } from './filled.ts';
import { isFormLabel, isMachineName } from './form-labels.ts';
import { isTemplate, type PlainRule, placeholdersOf, plainRule, type Rule } from './rule.ts';
import { otherDays, slotOf } from './visit-day.ts';

/** Pairs of fields for the same thing: a rule for one disables the other's default. */
const alternatives: Partial<Record<Target, Target>> = {
  doctor: 'doctor_id',
  doctor_id: 'doctor',
  treatment: 'treatment_id',
  treatment_id: 'treatment',
};

export interface MappingOptions {
  /** The connector's name. */
  source: string;
  clinics: readonly { clinic: string; timezone: string }[];
  /** `fields:` of the configuration. */
  rules: Partial<Record<Target | CampaignField, Rule>>;
  /** Rules for fields that the tool always sends in the same place. */
  fixed?: Partial<Record<Target, Rule>> | undefined;
  /** Labels to look for where there is no rule. */
  labels?: Partial<Record<Target, readonly string[]>> | undefined;
  /** Takes fields with a booking's own names unchanged: before any rule, or only where there is none. */
  own?: 'first' | 'unless ruled' | undefined;
}

interface FromForm {
  /** Address of the form's page, where the tool sends it. */
  page?: string | undefined;
}

export interface BookingReading extends FromForm {
  kind: 'booking';
  /** The answers, by the names a person would use in `fields:`. */
  fields: JsonObject;
  /** The tool's id of this submission, for deduplication. */
  id?: string | undefined;
  /** Names of labelled lines, each counted once: of two for one field, a visitor may have written one. */
  lines?: readonly string[];
  /** Text that belongs to no field; it goes into the note. */
  extra?: string;
  /** Reasons for a person to look at it. */
  problems?: readonly FieldFault[];
}

export type FormReading =
  | BookingReading
  /** A cancellation or a move, for a person to do. `task` is one sentence without patient data. */
  | ({ kind: 'task'; fields: JsonObject; id?: string | undefined; task: string; moves?: true } & FromForm)
  /** A ping, or an event that is known to be no lead: answered 200, counted under this name and not stored. */
  | { kind: 'ignored'; event: string; message: string };

export interface MappedForm {
  submission: Submission;
  /** The tool's fields that did not go into the booking. */
  unused: string[];
}

type Booked = Exclude<FormReading, { kind: 'ignored' }>;

/** The options, prepared once for all submissions. */
interface Plan extends MappingOptions {
  plain: ReadonlyMap<Target | CampaignField, PlainRule>;
  /** Fields that are read however many come before them. */
  wanted: ReadonlySet<string>;
}

/** What a line that begins with a known name can be: a short answer, one of several lines, or a message. */
export type LineKind = 'single' | 'lines' | 'message';

export interface Mapping {
  /** Turns a tool's fields into a submission. Copies only mapped fields, guesses nothing and does not throw. */
  map(reading: Booked): MappedForm;
  /** The kind of field looked for under this name; undefined for none. */
  kindOf(name: string): LineKind | undefined;
}

export function createMapping(options: MappingOptions): Mapping {
  const plain = new Map<Target | CampaignField, PlainRule>();
  const rules: MappingOptions['rules'] = { ...options.fixed, ...options.rules };
  for (const name of [...targets, ...campaignFields]) {
    const rule = rules[name];
    if (rule !== undefined) plain.set(name, plainRule(rule));
  }
  const wanted = new Set([
    ...(options.own ? targets : []),
    ...campaignFields,
    ...[...plain.values()].flatMap(namesIn),
  ]);
  const plan: Plan = { ...options, plain, wanted };
  const kinds = lineKinds(plan);
  return {
    map: (reading) => mapped(plan, reading),
    kindOf: (name) => kinds.get(closeName(name)) ?? kinds.get(labelKey(name)),
  };
}

/** A name looked for as several fields takes the longest kind. */
const longTargets: readonly [Target, LineKind][] = [
  ['address', 'lines'],
  ['note', 'message'],
];

/** By normalized name. */
function lineKinds({ plain, labels, own }: Plan): Map<string, LineKind> {
  const kinds = new Map<string, LineKind>();
  const add = (target: Target, kind: LineKind) => {
    const rule = plain.get(target);
    const looked = (labels?.[target] ?? []).flatMap((label) =>
      isTemplate(label) ? placeholdersOf(label) : [label],
    );
    for (const name of rule ? namesIn(rule) : looked.map(labelKey)) kinds.set(name, kind);
    if (own) kinds.set(target, kind);
  };
  for (const target of targets) add(target, 'single');
  for (const name of campaignFields)
    for (const one of [name, ...(campaignLabels[name] ?? [])]) kinds.set(labelKey(one), 'single');
  for (const [target, kind] of longTargets) add(target, kind);
  return kinds;
}

/** Normalized names of the fields that a rule reads, including the first step of a path. */
function namesIn(rule: PlainRule): string[] {
  if ('constant' in rule) return [];
  const names = rule.from.flatMap((from) => (isTemplate(from) ? placeholdersOf(from) : [from]));
  return names.flatMap((name) => [name, name.split('.')[0] ?? '']).map(closeName);
}

type Filling = ReadonlyMap<Target, Filled | undefined>;

function mapped(plan: Plan, reading: Booked): MappedForm {
  const { fields, problems, more } = limited(withListedAnswers(reading.fields), plan.wanted);
  const used = new Set<string>();
  const filling: Filling = new Map(targets.map((target) => [target, fill(plan, target, fields, used)]));
  if (plan.labels) addCountry(filling.get('patient_phone'), fields, used);
  const left = more ? fieldsLeftOut(plan, filling) : undefined;
  if (left) problems.push(left);
  problems.push(...answerFaults(filling));
  const campaign = campaignIn(plan, reading, fields, used);
  const unused = unusedNames(fields, used);

  const clinic = clinicOf(plan, filling);
  const submission: Submission = {
    source: plan.source,
    fields: bookingFields(filling, clinic?.timezone, problems),
  };
  if (clinic) submission.clinic = clinic.clinic;
  if (plan.labels && !filling.get('appointment_date')?.rule)
    problems.push(...otherDays(submission.fields.appointment_date, fields, unused));
  if (campaign) submission.campaign = campaign;
  if (reading.kind === 'booking') {
    problems.push(...(reading.problems ?? []), ...lineFaults(reading, unused));
    askAbout(submission, fields, unused);
    addToNote(submission.fields, moreOf(reading, { fields, unused, filling }));
  }
  const id = filling.get('submission_id')?.text || reading.id;
  if (id) submission.submission_id = id + ending(reading);
  if (reading.kind === 'task') {
    submission.task = reading.task;
    submission.task_kind = reading.moves === true ? 'move' : 'cancellation';
  }
  if (problems.length > 0) submission.problems = problems;
  return { submission, unused };
}

/** Fields that are not used may say that it is off, and any may say that it is a test. */
function askAbout(submission: Submission, fields: JsonObject, unused: readonly string[]): void {
  const isUnused = new Set(unused);
  const question = statusQuestion(
    Object.entries(fields).map(([name, value]) => [
      isUnused.has(name) ? name : '',
      typeof value === 'boolean' ? String(value) : fieldText(value),
    ]),
  );
  if (question !== undefined) submission.ask = question;
}

/** A cancellation or a move is no changed version of its booking, whose id it has. */
const ending = (reading: Booked): string =>
  reading.kind === 'booking' ? '' : reading.moves === true ? '#moved' : '#cancelled';

/** The form's text that belongs to no field; all of it when there is no phone number to call. */
function moreOf(
  { extra }: BookingReading,
  { fields, unused, filling }: { fields: JsonObject; unused: readonly string[]; filling: Filling },
): readonly string[] {
  if (extra !== undefined) return [extra];
  return filling.get('patient_phone') === undefined ? unmappedLines(fields, unused) : [];
}

function addToNote(fields: Submission['fields'], more: readonly string[]): void {
  if (more.length > 0) fields.note = [fieldText(fields.note), ...more].filter(Boolean).join('\n');
}

function fill(plan: Plan, target: Target, fields: JsonObject, used: Set<string>): Filled | undefined {
  const { own, plain, labels } = plan;
  if (own === 'first' || (own && !isRuled(plan, target))) {
    const taken = fromOwn(target, fields, used, own);
    if (taken) return taken;
  }
  const rule = plain.get(target);
  if (rule) return 'constant' in rule ? constant(rule.constant) : fromSource(rule, fields, used, target);
  if (isRuled(plan, target)) return undefined;
  return fromLabels(labels?.[target] ?? [], fields, used, target);
}

/** Found by rule, by its own name (which hidden fields have in every tool), or by the tool's label. */
function campaignIn(
  { plain, labels }: Plan,
  { page }: Booked,
  fields: JsonObject,
  used: Set<string>,
): SentCampaign | undefined {
  const sent: SentCampaign = {};
  for (const name of campaignFields) {
    const rule = plain.get(name);
    const known = labels ? [name, ...(campaignLabels[name] ?? [])] : [];
    const filled = rule
      ? 'constant' in rule
        ? constant(rule.constant)
        : fromSource(rule, fields, used)
      : (fromOwn(name, fields, used) ?? fromLabels(known, fields, used));
    if (filled && filled.text !== '') sent[name] = filled.text;
  }
  if (page !== undefined) sent.landing_page ??= page;
  return Object.keys(sent).length === 0 ? undefined : sent;
}

/** Whether the configuration has a rule for this target or its alternative. */
function isRuled({ rules }: Plan, target: Target): boolean {
  const alternative = alternatives[target];
  return rules[target] !== undefined || (alternative !== undefined && rules[alternative] !== undefined);
}

function fieldsLeftOut({ labels, plain }: Plan, filling: Filling): FieldFault | undefined {
  const missed = targets.filter((target) => labels?.[target] && !plain.has(target) && !filling.get(target));
  if (missed.length === 0) return undefined;
  return {
    field: 'fields',
    message: `The form sent more fields than are looked at, so ${missed.join(', ')} may be among the rest.`,
  };
}

/** The named clinic, known or not; otherwise the only one. */
function clinicOf({ clinics }: Plan, filling: Filling): { clinic: string; timezone?: string } | undefined {
  const named = filling.get('clinic')?.text;
  if (!named) return clinics.length === 1 ? clinics[0] : undefined;
  return clinics.find(({ clinic }) => clinic === named) ?? { clinic: named };
}

function bookingFields(
  filling: Filling,
  clinicZone: string | undefined,
  problems: FieldFault[],
): Submission['fields'] {
  const slot = slotOf(filling.get('appointment_date'), filling.get('appointment_time'), clinicZone, problems);
  const fields: Submission['fields'] = Object.create(null);
  for (const field of submissionFields) {
    const value =
      field === 'appointment_date' || field === 'appointment_time'
        ? slot[field]
        : present(filling.get(field));
    if (value !== undefined) fields[field] = value;
  }
  return fields;
}

/** Reports two lines for one field. */
function lineFaults({ fields, lines = [] }: BookingReading, unused: readonly string[]): FieldFault[] {
  const isLeft = (name: string) => unused.includes(name) && fieldText(fields[name]) !== '';
  if (new Set(lines).size === lines.length && !lines.some(isLeft)) return [];
  return [
    {
      field: 'fields',
      message:
        'Two lines of the form tool’s text are for the same field, so it is not certain which one the tool wrote.',
    },
  ];
}

/** Reports several answers for one field, and damaged characters: nothing is joined or guessed. */
function answerFaults(filling: Filling): FieldFault[] {
  const taken = [...filling].filter((pair): pair is [Target, Filled] => pair[1] !== undefined);
  return taken.flatMap(([field, { text, isOdd }]) => [
    ...(isOdd && (field === 'patient_name' || field === 'patient_phone')
      ? [{ field, message: `The form sent several answers, or a tick, as the ${fieldWords([field])}.` }]
      : []),
    ...(text.includes('\uFFFD') || !text.isWellFormed()
      ? [
          {
            field,
            message:
              `The ${fieldWords([field])} has characters that were damaged on the way, so it is not certain ` +
              'what was written.',
          },
        ]
      : []),
  ]);
}

/** An answer under two names (its key and its question) counts as used under both. */
function unusedNames(fields: JsonObject, used: ReadonlySet<string>): string[] {
  const texts = new Set([...used].map((name) => fieldText(fields[name])));
  return Object.keys(fields).filter(
    (name) => !used.has(name) && !(texts.has(fieldText(fields[name])) && fieldText(fields[name]) !== ''),
  );
}

/** Characters kept of unmapped fields. */
const MOST = 2_000;

/** Matches what no person writes: tokens, drawn signatures, payment card numbers. */
const opaque = /^data:|^[\w.+/=~|-]{40,}$|^[2-6]\d{3}(?:[ -]?\d{4}){3}$|^3[47]\d\d[ -]?\d{6}[ -]?\d{5}$/;

/**
 * Unmapped answers for a note, each once; an empty one gives its name, when that holds what was written. Kept when a
 * form sent no phone number: with no one to ask, a form with unmapped fields would be an anonymous booking. The note
 * goes to the clinic, so fields meant for programs are left out.
 */
function unmappedLines(fields: JsonObject, unused: readonly string[]): string[] {
  const lines = new Map<string, string>();
  let room = MOST;
  for (const name of unused) {
    const text = fieldText(fields[name]);
    if (isMachineName(name) || opaque.test(text || name)) continue;
    if (lines.has(text || name) || (text === '' && isFormLabel(name))) continue;
    const line = (text === '' ? name : `${name}: ${text}`).slice(0, room);
    room -= line.length;
    if (line !== '') lines.set(text || name, line);
  }
  return [...lines.values()];
}
