import type { IncomingHttpHeaders } from 'node:http';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { wholeNumber } from '../../../src/domain/clinics/setting.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { type Endpoint, endpoints } from '../routes.ts';
import { type FaultName, faultKinds } from './catalog.ts';
import type { Act, FaultKind } from './kind.ts';

const names = Object.keys(faultKinds) as [FaultName, ...FaultName[]];
const kindOf = (name: FaultName): FaultKind => faultKinds[name];

const FaultNameSchema = z.enum(names, {
  error: (issue) => `is not a kind of fault${suggestion(String(issue.input))}`,
});

/** `reset_after_commit`, or `{ kind: late_answer, ms: 2000 }`. */
const FaultSpec = z
  .union([
    z.string().transform((kind): Record<string, unknown> => ({ kind })),
    z.record(z.string(), z.unknown()),
  ])
  .transform(({ kind, ...parameters }, context) => {
    const name = FaultNameSchema.safeParse(kind);
    if (!name.success) {
      context.addIssue({ code: 'custom', message: name.error.issues[0]?.message ?? '', path: ['kind'] });
      return z.NEVER;
    }
    const checked = kindOf(name.data).parameters.safeParse(parameters);
    if (!checked.success) {
      for (const { message, path } of checked.error.issues)
        context.addIssue({ code: 'custom', message, path });
      return z.NEVER;
    }
    return { kind: name.data, ...checked.data };
  });

const Match = z.strictObject({
  /** Case-insensitive. */
  method: z.string().optional(),
  /** The whole path, including /api/v1, without a query. */
  path: z.string().startsWith('/').optional(),
  endpoint: z.enum(endpoints).optional(),
  /** All must be present with exactly this value; `*` for any value. */
  header: z.record(z.string().toLowerCase(), z.string()).optional(),
});

/** One entry of a fault script. */
export const ScriptedFault = z
  .strictObject({
    match: Match.default({}),
    /** Strikes from the nth matching request on, counted since it was scripted. */
    nth: wholeNumber(1).default(1),
    /** How often it strikes. */
    times: z.union([wholeNumber(1), z.literal('always')]).default(1),
    fault: FaultSpec,
  })
  .superRefine(({ match, fault }, context) => {
    const { stage } = kindOf(fault.kind);
    if ((stage === 'connection' || stage === 'listener') && Object.keys(match).length > 0)
      context.addIssue({
        code: 'custom',
        message: `${fault.kind} strikes a connection before any request is read, so it can match nothing`,
        path: ['match'],
      });
  });
export type ScriptedFault = z.input<typeof ScriptedFault>;
type CheckedFault = z.output<typeof ScriptedFault>;

/** A fault about to strike. */
export interface Strike {
  name: FaultName;
  act: Act;
  /** Applies only in place of a 200. */
  needsSuccess: boolean;
  /** Call if it could not strike: it waits for the next matching request. */
  giveBack(): void;
}

export interface MatchedRequest {
  method: string;
  target: string;
  endpoint: Endpoint | 'other';
  headers: IncomingHttpHeaders;
}

export interface FaultScript {
  add(faults: readonly (FaultName | ScriptedFault)[]): Act[];
  /** The first scripted fault that is due for this request. */
  take(request: MatchedRequest): Strike | undefined;
  takeConnection(): Strike | undefined;
  clear(): void;
  list(): { fault: CheckedFault; seen: number; struck: number }[];
}

interface Entry {
  fault: CheckedFault;
  seen: number;
  struck: number;
  act: Act;
}

export function createFaultScript(): FaultScript {
  const entries: Entry[] = [];

  const strike = (matching: (entry: Entry) => boolean): Strike | undefined => {
    let chosen: Entry | undefined;
    for (const entry of entries) {
      if (!matching(entry)) continue;
      entry.seen += 1;
      const { nth, times } = entry.fault;
      if (chosen === undefined && entry.seen >= nth && (times === 'always' || entry.struck < times))
        chosen = entry;
    }
    if (chosen === undefined) return undefined;
    const entry = chosen;
    entry.struck += 1;
    return {
      name: entry.fault.fault.kind,
      act: entry.act,
      needsSuccess: kindOf(entry.fault.fault.kind).endpoints !== undefined,
      giveBack: () => {
        entry.struck -= 1;
      },
    };
  };

  return {
    add(faults) {
      const added = faults.map((given): Entry => {
        const fault = ScriptedFault.parse(typeof given === 'string' ? { fault: given } : given);
        const { kind, ...parameters } = fault.fault;
        return { fault, seen: 0, struck: 0, act: kindOf(kind).arm(parameters) };
      });
      entries.push(...added);
      return added.map(({ act }) => act);
    },
    take: (request) =>
      strike(
        ({ act, fault }) => act.stage !== 'connection' && act.stage !== 'listener' && matches(fault, request),
      ),
    takeConnection: () => strike(({ act }) => act.stage === 'connection'),
    clear() {
      entries.length = 0;
    },
    list: () => entries.map(({ fault, seen, struck }) => ({ fault, seen, struck })),
  };
}

function matches({ match, fault }: CheckedFault, request: MatchedRequest): boolean {
  const { method, path, endpoint, header = {} } = match;
  const makesSenseAt = kindOf(fault.kind).endpoints;
  const [requestPath] = request.target.split('?');
  return (
    (method === undefined || method.toUpperCase() === request.method) &&
    (path === undefined || path === requestPath) &&
    (endpoint === undefined || endpoint === request.endpoint) &&
    (makesSenseAt === undefined || makesSenseAt.some((one) => one === request.endpoint)) &&
    Object.entries(header).every(([name, value]) => {
      const given = request.headers[name];
      return value === '*' ? given !== undefined : given === value;
    })
  );
}

/** The name that shares most words with what was written. */
function suggestion(written: string): string {
  const words = new Set(written.toLowerCase().split(/[^a-z0-9]+/));
  const scored = names
    .map((name) => ({ name, shared: name.split('_').filter((word) => words.has(word)).length }))
    .sort((a, b) => b.shared - a.shared || a.name.length - b.name.length);
  return scored[0] !== undefined && scored[0].shared > 0 ? `; did you mean ${scored[0].name}?` : '';
}

const List = z.array(ScriptedFault);
const Wrapped = z.strictObject({ faults: List }).transform(({ faults }) => faults);

/**
 * Reads a fault script from the text of a YAML or JSON file: a list, or an object with a list `faults`. Throws
 * `Failure` refused that lists all errors with their lines.
 */
export function readFaultScript(text: string, file: string): ScriptedFault[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const refuse = (problems: string[]) =>
    new Failure({
      kind: 'refused',
      message: `The fault script ${file} cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
      hint: 'The kinds of fault are listed in sandbox/clinic/README.md and by GET /fault-kinds on the control channel.',
    });
  if (document.errors.length > 0)
    throw refuse(document.errors.map(({ message }) => message.split('\n')[0] ?? ''));

  const value: unknown = document.toJS();
  // Checked in the form in which it was written, so that paths and messages refer to what the author sees.
  const parsed = Array.isArray(value) ? List.safeParse(value) : Wrapped.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(
    parsed.error.issues.map(({ path, message }) => {
      const line = lineOf(path);
      const where = path
        .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
        .join('');
      return `${line === undefined ? '' : `line ${line}: `}${where.replace(/^\./, '') || 'the file'}: ${message}`;
    }),
  );

  /** The line of the innermost part of the path that exists in the file. */
  function lineOf(path: readonly PropertyKey[]): number | undefined {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const node: unknown = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  }
}
