import type {
  Dentist,
  Organization,
  SandboxStatus,
  Treatment,
  Website,
} from '../../../sandbox/clinic/wire.ts';
import type { Clinic } from '../../../src/clinic/clinic.ts';
import { readList, readSingle, readStatistics, readStatus } from '../../../src/clinic/read-answer.ts';
import type { LimiterReport } from '../../../src/domain/status/report.ts';
import { Failure } from '../../../src/platform/failure.ts';
import type { Json } from '../../../src/platform/json.ts';

/** A clinic whose answers are plain values that a test edits; put an error in place of one and it is thrown. */
export interface ClinicOfLists extends Clinic {
  answers: {
    organization: Organization | Error;
    website: Website | Error;
    treatments: Treatment[] | Error;
    dentists: Dentist[] | Error;
  };
  /** By id; missing: the clinic does not know it. */
  statuses: Map<number, SandboxStatus | Error>;
  /** Ids whose status was read, in order. */
  reads: number[];
  /** Lists that were parsed, not just recognized by their bytes. */
  compared: number;
  ceiling: number | null;
  /** Another organization answers. */
  isAnother: boolean;
  /** Awaited before every answer. */
  before: (signal: AbortSignal) => Promise<void> | void;
}

export const treatment = (id: number, fields: Partial<Treatment> = {}): Treatment => ({
  treatment_id: id,
  treatment_name: `Treatment ${id}`,
  description: 'As usual',
  base_fee: '1200.00',
  duration_minutes: 30,
  image_url: `https://clinic.example/${id}.png`,
  ...fields,
});

export const organization = (fields: Partial<Organization> = {}): Organization => ({
  care_id: 7,
  name: 'Shapla Dental',
  short_name: 'SD',
  tooth_system: 'FDI',
  currency: 'BDT',
  currency_symbol: '৳',
  logo: null,
  address: 'House 1',
  city: 'Dhaka',
  state: 'Dhaka',
  region: 'Dhaka',
  postal_code: '1205',
  country: 'Bangladesh',
  phone: '+8801711000000',
  email: 'desk@clinic.example',
  website: 'https://clinic.example',
  fax: null,
  established_date: '2009-02-01',
  statistics: { total_users: 4, total_patients: 100, total_appointments: 1000, total_doctors: 3 },
  ...fields,
});

export function clinicOfLists(key = 'main'): ClinicOfLists {
  const give = async <T>(value: T | Error, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted();
    await clinic.before(signal);
    if (value instanceof Error) throw value;
    return structuredClone(value);
  };
  const list = async (resource: 'treatments' | 'dentists', signal: AbortSignal, known?: string) => {
    const data = await give(clinic.answers[resource] as Json[] | Error, signal);
    const digest = JSON.stringify(data);
    const isSame = digest === known;
    clinic.compared += Number(!isSame);
    return isSame
      ? { records: [], unreadable: [], digest, isSame }
      : { ...readList(resource, { data }, 'GET'), digest };
  };
  const unused = () => Promise.reject(new Error('not part of this clinic'));
  const limiter = (): LimiterReport => ({
    ceiling_per_minute: clinic.ceiling,
    window_ms: null,
    blocked_until: null,
    blocked_since: null,
    refused_last_hour: 0,
    calls_last_hour: 0,
    counted_since: null,
    token_expires_at: null,
    answer_ms: null,
  });
  const clinic: ClinicOfLists = {
    key,
    answers: {
      organization: organization(),
      website: new Error('no website in this test'),
      treatments: [],
      dentists: [],
    },
    statuses: new Map(),
    reads: [],
    compared: 0,
    ceiling: null,
    isAnother: false,
    before: () => {},
    async organization(signal) {
      const answer = { data: await give(clinic.answers.organization, signal) } as Json;
      const statistics = readStatistics(answer);
      return { ...readSingle('organization', answer, 'GET'), ...(statistics && { statistics }) };
    },
    async confirmIdentity() {
      if (clinic.isAnother) throw new Failure({ kind: 'transient', message: 'Another clinic answers.' });
    },
    appointmentCount: unused,
    async website(signal) {
      return readSingle('website', { site: await give(clinic.answers.website, signal) } as Json, 'GET');
    },
    treatments: (signal, known) => list('treatments', signal, known),
    dentists: (signal, known) => list('dentists', signal, known),
    treatment: unused,
    async appointmentStatus(id, signal) {
      clinic.reads.push(id);
      const given = await give(clinic.statuses.get(id) ?? null, signal);
      return given === null ? undefined : readStatus({ data: given } as Json, 'GET');
    },
    book: unused,
    limiter,
    close: async () => {},
  };
  return clinic;
}
