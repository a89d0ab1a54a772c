import * as z from 'zod';
import {
  adminOperations,
  type OperationContext,
  type OperationEntry,
  operations,
} from '../app/operations.ts';
import { decideEach, type Each } from '../domain/bookings/decide-each.ts';
import { withoutPatient } from '../domain/patient.ts';
import { auditName, type Done, type Preview } from '../http/admin.ts';
import { systemClock } from '../platform/clock.ts';
import { Failure } from '../platform/failure.ts';
import { clause } from '../platform/text/sentences.ts';
import { actorName, existingRef } from './audited.ts';
import {
  type Command,
  type CommonArguments,
  command,
  flagArgument,
  optionalWord,
  refArgument,
  refsArgument,
  word,
} from './command.ts';
import { oneClinic } from './configuration.ts';
import { askedArguments, firstOf, isWanted } from './confirm.ts';
import { answer, counted, Exit, exit, failureText, type Io } from './io.ts';
import { textTable } from './list.ts';
import { withParts } from './with-app.ts';

/** The commands of a group, or the command of this name, that do what the pages’ buttons do. */
export const operationCommands = (
  group: string,
  entries: Readonly<Record<string, OperationEntry>> = operations,
): Command[] =>
  Object.entries(entries).flatMap(([path, entry]) =>
    entry.command?.startsWith(`${group} `) ? commandFor(path, entry, entry.command) : [],
  );

/** A field of an operation as an option or positional argument of its command. */
interface Field {
  field: string;
  option: string;
  argument: object;
}

interface Property {
  type?: string;
  enum?: string[];
  anyOf?: { type?: string }[];
  description?: string;
}

const optionFor = ({ options = {} }: OperationEntry, field: string): string =>
  options[field] ?? field.replaceAll('_', '-');

/** Fields as the command line calls them: `as: booked` is `--as booked`. */
const inOptions = (entry: OperationEntry, text = ''): string =>
  text.replaceAll(/`(\w+)(?:: ([\w-]+))?`/g, (_all, field: string, value = '') =>
    `--${optionFor(entry, field)} ${value}`.trimEnd(),
  );

function fieldsOf(entry: OperationEntry, usage: string): Field[] {
  const isMany = usage.includes('..');
  const fields = Object.entries<z.ZodType>(entry.body?.shape ?? {});
  return fields
    .filter(([field]) => !isMany || field === 'why')
    .map(([field, schema]) => {
      const option = optionFor(entry, field);
      const { enum: choices, anyOf = [], type, description: text } = z.toJSONSchema(schema) as Property;
      const description = inOptions(entry, text);
      const shown = { describe: description, demandOption: !schema.safeParse(undefined).success };
      if (usage.includes(`[${option}]`)) return { field, option, argument: { ...optionalWord, ...shown } };
      const isFlag = [type, ...anyOf.map((one) => one.type)].includes('boolean');
      const typed = { ...shown, ...(choices ? { choices } : { type: 'string' }) };
      return { field, option, argument: isFlag ? flagArgument(description) : typed };
    });
}

/** `on` and `off`, as a form sends a box. */
const sent = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

const bookingArguments: Record<string, object> = {
  ref: { ...refArgument, demandOption: true, describe: 'The booking, such as CS-7K3Q9F' },
  refs: refsArgument('The booking, such as CS-7K3Q9F, or several'),
};

type Given = CommonArguments & Record<string, unknown>;

function commandFor(path: string, entry: OperationEntry, line: string): Command {
  const usage = /(?<!\S)\S+ [<[].*/.exec(line)?.[0] ?? line;
  const [, param = ''] = /:(\w+)/.exec(path) ?? [];
  const isMany = usage.includes('..');
  const named = isMany ? `${param}s` : param;
  const fields = fieldsOf(entry, usage);
  const explain = refusedFor(param, entry);
  return command({
    name: usage,
    describe: entry.summary,
    args: {
      [named]: bookingArguments[named] ?? (usage.includes(`<${named}>`) ? word : optionalWord),
      ...Object.fromEntries(fields.map(({ option, argument }) => [option, argument])),
      by: { type: 'string', default: actorName(), describe: 'Who decides; stored with the decision' },
      ...((isMany || entry.preview) && askedArguments),
    },
    examples: entry.examples ?? {},
    ...(entry.callsClinic && { needsSecrets: true }),
    audit: { action: auditName(path), subject: param === 'ref' ? existingRef : param },
    open: withParts,
    async run(io, typed, parts) {
      const given: Given = { ...typed };
      const context = { ...parts, clock: systemClock, syncNow: async () => {} };
      const clinic = given.clinic as string | undefined;
      const wanted = param === 'clinic' ? oneClinic(parts.config, clinic, 'name') : given[named];
      const subjects = [...new Set([wanted].flat().map(String))];
      const [only = '', ...others] = subjects;
      const filled = fields.filter(({ option }) => given[option] !== undefined);
      const sentFields = Object.fromEntries(filled.map(({ field, option }) => [field, sent(given[option])]));
      if (given.dryRun === true || entry.preview !== undefined || others.length > 0) {
        const preview = entry.preview?.(context, only, sentFields) ?? bookingsPreview(context, subjects);
        if (!(await isWanted(io, given, await preview.catch(explain), entry.isFinal === true))) return;
      }
      const { [path]: operation } = adminOperations(context, { [path]: entry });
      const request = { fields: sentFields, by: String(given.by), asked: {} };
      const act = async ({ ref }: { ref: string }) => ({
        ...(await operation?.run({ ...request, subject: ref })),
        ref,
      });
      const each = subjects.map((ref) => ({ ref }));
      if (others.length > 0) return answerEach(io, given, await decideEach(each, act));
      const { message = '', details = [], data } = await act({ ref: only }).catch(explain);
      answer(io, given, data ?? { message }, message, ...details);
    },
  });
}

function answerEach(io: Io, given: Given, { done, refused }: Each<Partial<Done>>): void {
  const failed = refused.map(({ ref, failure }) => ({ ref, refused: failureText(failure) }));
  answer(
    io,
    given,
    [...done.map(({ data }) => data), ...failed],
    ...done.map(({ message = '' }) => message),
    ...failed.map(({ ref, refused: why }) => `${ref}: ${why}`),
  );
  if (failed.length === 0) return;
  throw new Exit(exit.needsPerson, `${failed.length} of ${done.length + failed.length} were refused.`);
}

/** Refusals that `confirm` overrules; each surface has a name of its own for it. */
const overruled = ['number_differs', 'number_unknown', 'still_working'];

/** A wrong name or field is a wrong command line. */
const refusedFor =
  (param: string, entry: OperationEntry) =>
  (error: unknown): never => {
    if (!(error instanceof Failure)) throw error;
    const { kind, status, refusal } = error;
    const isOverruled = 'confirm' in (entry.body?.shape ?? {}) && overruled.includes(refusal?.name ?? '');
    const hint = isOverruled ? `${clause(error.hint ?? '')} (--confirm).` : inOptions(entry, error.hint);
    const message = inOptions(entry, error.message);
    const isUsage = status === 400 || (status === 404 && param === 'name');
    const failure = new Failure({ kind, message, hint });
    throw isUsage ? new Exit(exit.usage, failureText(failure)) : failure;
  };

async function bookingsPreview({ store }: OperationContext, refs: readonly string[]): Promise<Preview> {
  const found = await Promise.all(refs.map((ref) => store.bookings.get(ref)));
  const rows = found.map((booking, at) =>
    booking === undefined
      ? [refs[at] ?? '', 'there is none']
      : [
          booking.ref,
          booking.state,
          `${booking.appointment_date} ${booking.appointment_time}`,
          booking.source,
        ],
  );
  const lines = textTable(rows.map(([ref = '', ...rest]) => [`  ${ref}`, ...rest])).split('\n');
  const data = found.flatMap((booking) => (booking === undefined ? [] : [withoutPatient({ ...booking })]));
  return { lines: [`${counted(refs.length, 'booking')}:`, ...firstOf(lines)], data };
}
