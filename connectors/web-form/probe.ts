import type { ProbeLead, ProbeRequest } from '../../src/connector.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { type ProofKeys, proven } from './authentication/proof.ts';
import type { MappingOptions } from './mapping/mapping.ts';
import { fieldsFor } from './mapping/reverse.ts';
import type { Preset } from './presets/preset.ts';

interface ProbeParts {
  mapping: MappingOptions;
  preset: Preset;
  settings: ProofKeys;
  clock: Clock;
}

export interface ProbeOptions {
  /** A form's hidden fields. */
  hidden?: object;
  lost?: readonly string[];
}

/**
 * What the tool would send for a lead: its fields by this connector's rules, in the tool's payload, with its proof.
 * `lost`: what its last submissions did not have.
 */
export const createProbe =
  ({ mapping, preset, settings, clock }: ProbeParts) =>
  (lead: ProbeLead, { hidden = {}, lost = [] }: ProbeOptions = {}): ProbeRequest => {
    const fields = fieldsFor(mapping, lead, lost);
    const payload = { ...(preset.write?.(fields, lead.id) ?? fields), ...hidden };
    const isForm = preset.bodies !== undefined && !preset.bodies.includes('json');
    const body = isForm
      ? new URLSearchParams(payload as Record<string, string>).toString()
      : JSON.stringify(payload);
    const { headers, path = '' } = proven(preset.proofs, body, settings, clock.now());
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    return { path, body, headers: { 'content-type': type, accept: 'application/json', ...headers } };
  };
