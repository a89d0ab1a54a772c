import type {
  HttpIntake,
  IntakeRefusal,
  IntakeRequest,
  IntakeResult,
  ProbeLead,
  ProbeRequest,
} from '../../src/connector.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { bearer, pathToken, proofFault, unauthorized } from './authentication/proof.ts';
import { standardWebhooks } from './authentication/signature.ts';
import { type ParsedBody, parseBody, parseSaved } from './body.ts';
import type { FormReading, Mapping } from './mapping/mapping.ts';
import { type Preset, unknownEvent } from './presets/preset.ts';
import type { ProbeOptions } from './probe.ts';
import type { SeenFields } from './seen.ts';
import type { WebFormSettings } from './settings.ts';
import { readTextBody } from './text-body.ts';

export interface IntakeParts {
  name: string;
  settings: WebFormSettings;
  preset: Preset;
  map: Mapping['map'];
  kindOf: Mapping['kindOf'];
  /** The request that the tool would send. */
  probeOf: (lead: ProbeLead, options?: ProbeOptions) => ProbeRequest;
  seen: SeenFields;
  clock: Clock;
}

/** What a request is for. Only a submission is stored. */
type Purpose = 'submission' | 'rehearsal' | 'validation';
export function purposeOf({ query }: IntakeRequest): Purpose {
  if (query.get('rehearse') === '1') return 'rehearsal';
  return query.get('validate') === '1' ? 'validation' : 'submission';
}
export const nothingHere: IntakeRefusal = { kind: 'refused', status: 404, message: 'There is nothing here' };

/** For tools that send by themselves: the proof is checked first, and content is never refused. */
export function toolIntake({ settings, preset, map, kindOf, probeOf, seen, clock }: IntakeParts): HttpIntake {
  const { proofs } = preset;

  const read = (request: IntakeRequest, parsed: ParsedBody): FormReading | IntakeRefusal => {
    if (!parsed.ok) return parsed.refusal;
    if (parsed.text !== undefined) {
      const { fields, ...more } = readTextBody(parsed.text, kindOf);
      return { ...preset.read(fields, request), ...more };
    }
    const reading = preset.read(parsed.body, request);
    // Where the tool's answers should be is nothing.
    const isEmpty = reading.kind === 'booking' && Object.keys(reading.fields).length === 0;
    const whole = isEmpty ? { ...unknownEvent(parsed.body), ...(reading.id && { id: reading.id }) } : reading;
    return withLoose(withRepeated(whole, parsed.repeated), parsed.loose);
  };

  return {
    authorize: (request) => readingFault(preset, settings, request, clock.now()),

    async receive(request): Promise<IntakeResult> {
      if (request.path !== '' && !proofs.includes(pathToken)) return nothingHere;
      // A person rehearses with the token, whatever the tool authenticates with.
      const isRehearsed = purposeOf(request) === 'rehearsal';
      const accepted = isRehearsed ? [...new Set([...proofs, bearer])] : proofs;
      const refusal = proofFault(accepted, request, settings, clock.now());
      const parsed: ParsedBody = refusal ? { ok: false, refusal } : await parseBody(request);
      const reading = read(request, parsed);
      if (reading.kind === 'refused') {
        seen.refusal(reading.message);
        return reading;
      }
      if (reading.kind === 'ignored') {
        seen.ignored(reading.event);
        return reading;
      }
      const { submission, unused } = map(reading);
      const purpose = purposeOf(request);
      // In plain text, a visitor's line with a colon looks like a field; no setting of the tool names those.
      const hasNames = parsed.ok && parsed.text === undefined;
      const receipt = seen.submission({ submission, unused }, { purpose, hasNames });
      const { thanks } = settings;
      return {
        kind: 'submission',
        submission,
        ...(thanks && { thanks }),
        ...(receipt && { receipt }),
        ...(isRehearsed && { unused }),
      };
    },

    setup: () => ({
      carries: proofs.filter(({ needs }) => settings[needs] !== undefined).map(({ carries }) => carries),
    }),

    accepted: seen.accepted,

    probe: async (lead) => probeOf(lead, { lost: await seen.lost() }),

    async sample(request): Promise<IntakeResult> {
      const reading = read(request, await parseSaved(request));
      if (reading.kind === 'refused' || reading.kind === 'ignored') return reading;
      return { kind: 'submission', ...map(reading) };
    },
  };
}

/** Keeps the whole body of a form whose answers were cut. */
function withLoose(reading: FormReading, loose: string | undefined): FormReading {
  if (reading.kind !== 'booking' || loose === undefined) return reading;
  const problem = {
    field: 'fields',
    message:
      'The form tool did not encode a “&” in an answer, so the rest of it was cut off. The whole body is in the note.',
  };
  return { ...reading, extra: loose, problems: [...(reading.problems ?? []), problem] };
}

/** Flags a repeated field, like a repeated line, because it is unclear which of the two is meant. */
function withRepeated(reading: FormReading, [name, ...more]: readonly string[] = []): FormReading {
  if (reading.kind !== 'booking' || name === undefined) return reading;
  const problem = {
    field: 'fields',
    message:
      `The form tool sent the field “${name.slice(0, LONGEST_SHOWN)}”${more.length > 0 ? ' and others' : ''} ` +
      'more than once. Only the last one was kept: check it.',
  };
  return { ...reading, problems: [...(reading.problems ?? []), problem] };
}
const LONGEST_SHOWN = 60;

/** Reading a booking's state takes the token, or a signature of an empty body. */
function readingFault(
  { proofs }: Preset,
  settings: WebFormSettings,
  request: IntakeRequest,
  nowMs: number,
): IntakeRefusal | undefined {
  // Other tools' signatures do not cover the address.
  const ways = [standardWebhooks, pathToken].filter((proof) => proofs.includes(proof));
  const inPath = request.path.includes('/');
  const usable = [bearer, ...ways].filter((proof) => proof !== pathToken || inPath);
  if (settings.token !== undefined || (settings.secret !== undefined && usable.includes(standardWebhooks)))
    return proofFault(usable, request, settings, nowMs);
  return unauthorized('This connector has no token, so its bookings cannot be read', 'Set `token`.');
}
