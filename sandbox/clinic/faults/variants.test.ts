import { describe, expect, it, onTestFinished } from 'vitest';
import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { type Expected, proveFaults } from '../../../test/support/clinic/prove-faults.ts';
import { startSandbox } from '../clinic.ts';
import { seedDentists, seedWebsite } from '../seed/practice.ts';
import { variantFaults } from './variants.ts';

const dentists = seedDentists as JsonObject[];
const shows = (
  at: NonNullable<Expected['at']>,
  check: (body: JsonObject) => void,
  parameters: Record<string, Json> = {},
): Expected => ({
  at,
  parameters,
  end: 'closed',
  committed: 0,
  check: ({ answer, json }) => {
    expect(answer?.status).toBe(200);
    check(json());
  },
});

describe('an answer as real servers send it', () => {
  proveFaults(variantFaults, {
    variant: shows(
      'website',
      ({ site }) =>
        expect(site).toEqual({
          ...seedWebsite,
          opening_hours: Object.fromEntries(
            Object.entries(seedWebsite.opening_hours).map(([day, { open: _open, ...hours }]) => [day, hours]),
          ),
        }),
      { path: 'opening_hours.*.open', as: 'missing' },
    ),
    no_success: shows('dentists', (body) => expect(body).toEqual({ data: dentists })),
    bad_row: shows('dentists', ({ data }) => expect(data).toEqual([null, ...dentists.slice(1)])),
    twin_ids: shows('dentists', ({ data }) =>
      expect((data as JsonObject[]).at(-1)).toEqual({
        ...dentists[0],
        doctor_name: `${dentists[0]?.doctor_name} (2)`,
      }),
    ),
    other_care_id: shows('organization', ({ data }) => expect(data).toMatchObject({ care_id: 215 })),
    late_status: {
      at: 'status',
      end: 'closed',
      committed: 0,
      check: ({ answer }) => expect(answer?.status).toBe(404),
    },
  });

  it.each([
    [{ value: { odd: true } }, { odd: true }],
    [{ plus: '0' }, '2500.000'],
    [{ as: 'negative' }, -2500],
  ])('accepts another value, more of it, or less: %o', async (how, written) => {
    const rows = await treatmentsWith({ kind: 'variant', path: '*_fee', row: 1, ...how });

    expect(rows.slice(0, 3).map(({ base_fee }) => base_fee)).toEqual(['800.00', written, '1200.00']);
  });

  it('refuses a fault without a variant, or with two', async () => {
    for (const how of [{}, { as: 'null', value: 1 }])
      await expect(treatmentsWith({ kind: 'variant', path: 'base_fee', ...how })).rejects.toThrow(
        'needs one of as, value and plus',
      );
  });

  it.each([
    ['null', null],
    ['missing', undefined],
    ['number', 2500],
    ['digits', '2500.00'],
    ['text', 'n/a'],
    ['empty_list', []],
    ['empty_map', {}],
  ])('writes one row’s fee as %s, and leaves the others', async (as, written) => {
    const rows = await treatmentsWith({ kind: 'variant', path: 'base_fee', as, row: 1 });

    expect(rows.slice(0, 3).map(({ base_fee }) => base_fee)).toEqual(['800.00', written, '1200.00']);
  });
});

async function treatmentsWith(fault: Record<string, Json> & { kind: 'variant' }): Promise<JsonObject[]> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { app_key, secret_key } = sandbox.credentials;
  const keys = { 'x-app-key': app_key };
  const granted = await fetch(`${sandbox.url}/granttoken`, {
    method: 'POST',
    headers: { ...keys, 'x-app-secret-key': secret_key },
  });
  const { access_token } = (await granted.json()) as { access_token: string };

  sandbox.control.script({ match: { endpoint: 'treatments' }, fault });
  const headers = { ...keys, authorization: `Bearer ${access_token}` };
  const { data } = (await (await fetch(`${sandbox.url}/treatments`, { headers })).json()) as {
    data: JsonObject[];
  };
  return data;
}
