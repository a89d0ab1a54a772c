import type { IntakeRequest } from '../../../src/connector.ts';
import type { JsonObject } from '../../../src/platform/json.ts';
import type { Proof } from '../authentication/proof.ts';
import type { BodyKind } from '../body.ts';
import type { Rule } from '../mapping/rule.ts';
import type { Target } from '../mapping/targets.ts';

/** What one form tool sends, and how it proves that it was the tool. */
export interface Preset {
  /** For people: `Contact Form 7`. */
  readonly title: string;
  /** Ways to prove where a request comes from; every one that has its setting is accepted. */
  readonly proofs: readonly Proof[];
  /** Other bodies are answered 415. */
  readonly bodies: readonly BodyKind[];
  /** Takes the tool's wrapping off. Never throws; what is not there is left out. */
  read(body: JsonObject, request: Pick<IntakeRequest, 'headers'>): Reading;
  /** Fields that the tool always sends in the same place. */
  readonly fixed?: Partial<Record<Target, Rule>>;
  /** True: fields are looked for by the labels people commonly use. */
  readonly labels: boolean;
  /** Fields with a booking's own names are taken exactly as they came: before any rule, or where there is none. */
  readonly own?: 'first' | 'unless ruled';
}

export type Reading =
  | {
      kind: 'booking';
      /** The answers by the names a person would map them by. */
      fields: JsonObject;
      /** The tool's own id of this submission, for deduplication. */
      id?: string | undefined;
    }
  /** Something a person has to do: a cancellation, a move. `task` is one sentence without patient data. */
  | { kind: 'task'; fields: JsonObject; id?: string | undefined; task: string; moves?: true }
  /** A ping, a test, an event that is none of ours: answered 200 and not stored. */
  | { kind: 'ignored'; message: string };
