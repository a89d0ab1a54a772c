import type { ProbeLead } from '../../../src/connector.ts';
import { wallClockInstant } from '../../../src/domain/date-time.ts';
import { writeFormat } from '../../../src/domain/date-time-format.ts';
import { instant } from '../../../src/platform/clock.ts';
import type { MappingOptions } from './mapping.ts';
import { isTemplate, type PlainRule, placeholdersOf, plainRule } from './rule.ts';

const asked = ['patient_name', 'patient_phone', 'appointment_date', 'appointment_time', 'clinic'] as const;
type Asked = (typeof asked)[number];

/**
 * The tool's fields from which the mapping makes this lead, each where its rule or first label looks; none for those
 * that the tool no longer sends there.
 */
export function fieldsFor(
  options: MappingOptions,
  lead: ProbeLead,
  lost: readonly string[] = [],
): Record<string, string> {
  const fields: Record<string, string> = {};
  const dated = new Set<string>();
  for (const target of asked.filter((one) => !lost.includes(one))) {
    const isNeeded = target !== 'clinic' || options.clinics.length > 1;
    const place = isNeeded ? placeOf(options, target) : undefined;
    if (place === undefined) continue;
    for (const [name, text] of parted(place.from, written(target, lead, place))) {
      // A single field for date and time gets the moment, which names its zone.
      const isMoment = isDated(target) && dated.has(name) && place.rule?.format === undefined;
      fields[name] = isMoment ? momentOf(options, lead) : text;
      if (isDated(target)) dated.add(name);
    }
  }
  return fields;
}

interface Place {
  from: string;
  rule: Exclude<PlainRule, { constant: unknown }> | undefined;
}

const isDated = (target: Asked): boolean => target === 'appointment_date' || target === 'appointment_time';

function placeOf({ rules, fixed, labels, own }: MappingOptions, target: Asked): Place | undefined {
  const given = rules[target] ?? fixed?.[target];
  if (own === 'first' || (own && given === undefined)) return { from: target, rule: undefined };
  const [label = target] = labels?.[target] ?? [];
  if (given === undefined) return { from: label, rule: undefined };
  const rule = plainRule(given);
  if ('constant' in rule) return undefined;
  const [from = target] = rule.from;
  return { from, rule };
}

function written(target: Asked, { clinic, fields }: ProbeLead, { rule }: Place): string {
  if (target === 'clinic') {
    const options = Object.entries(rule?.options ?? {});
    // A form that cannot name this clinic is sent as its visitors would send it.
    return (options.find(([, meant]) => meant === clinic) ?? options[0])?.[0] ?? clinic;
  }
  return isDated(target) && rule?.format !== undefined
    ? writeFormat(fields.appointment_date, fields.appointment_time, rule.format)
    : fields[target];
}

function momentOf({ clinics }: MappingOptions, { clinic, fields }: ProbeLead): string {
  const zone = clinics.find((one) => one.clinic === clinic)?.timezone ?? 'UTC';
  return instant(wallClockInstant(fields.appointment_date, fields.appointment_time, zone).ms);
}

/** The text of each field; for a template, each placeholder's part of it. */
function parted(from: string, text: string): [name: string, text: string][] {
  if (!isTemplate(from)) return [[from, text]];
  const names = placeholdersOf(from);
  const pattern = from
    .split(/\{\{[^{}]+\}\}/)
    .map((between) => RegExp.escape(between))
    .join('(.+?)');
  const parts = new RegExp(`^${pattern}$`).exec(text)?.slice(1);
  return names.map((name, index) => [name, parts?.[index] ?? text]);
}
