import { describe, expect } from 'vitest';
import type { Json, JsonObject } from '../../../src/platform/json.ts';
import { type Expected, proveFaults } from '../../../test/support/clinic/prove-faults.ts';
import { seedDentists } from '../seed/practice.ts';
import { seedTreatments } from '../seed/treatments.ts';
import { contentFaults } from './content.ts';

const treatments = seedTreatments.filter(({ active }) => active).map(({ fields }) => fields as JsonObject);
const dentists = seedDentists as JsonObject[];

const shows = (at: NonNullable<Expected['at']>, check: (body: JsonObject) => void): Expected => ({
  at,
  end: 'closed',
  committed: 0,
  check: ({ answer, json }) => {
    expect(answer?.status).toBe(200);
    check(json());
  },
});
const data = (at: NonNullable<Expected['at']>, check: (value: Json | undefined) => void) =>
  shows(at, (body) => check(body.data));
const scaling = treatments[1] ?? {};

describe('a read with unexpected content', () => {
  proveFaults(contentFaults, {
    empty_list: data('dentists', (rows) => expect(rows).toEqual([])),
    half_list: data('treatments', (rows) => expect(rows).toEqual(treatments.slice(0, 7))),
    reversed_list: data('dentists', (rows) => expect(rows).toEqual(dentists.toReversed())),
    duplicate_ids: data('dentists', (rows) => expect(rows).toEqual([...dentists, dentists[0]])),
    list_as_object: data('dentists', (rows) => expect(rows).toEqual({ ...dentists })),
    missing_data: shows('website', (body) => expect(body).toEqual({ success: true })),
    data_null: data('organization', (value) => expect(value).toBeNull()),
    missing_field: data('treatment', (row) => {
      const { image_url: _last, ...rest } = scaling;
      expect(row).toEqual(rest);
    }),
    wrong_types: data('treatment', (row) => expect(row).toMatchObject({ treatment_id: '2', base_fee: 7 })),
    null_fields: data('treatment', (row) =>
      expect(new Set(Object.values(row as JsonObject))).toEqual(new Set([null])),
    ),
    extra_fields: data('treatment', (row) =>
      expect(row).toEqual({ ...scaling, loyalty_points: 7, nested: { beta: true } }),
    ),
    decimal_numbers: data('treatment', (row) => expect(row).toEqual({ ...scaling, base_fee: 2500 })),
    id_changed_type: data('treatment', (row) => expect(row).toEqual({ ...scaling, treatment_id: '2' })),
    lone_surrogates: data('treatment', (row) =>
      expect(row).toMatchObject({ treatment_name: 'Scaling & Polishing\ud800' }),
    ),
    decomposed_accents: data('dentists', (rows) => expect(JSON.stringify(rows)).toContain('Anai\u0308s')),
    huge_text: data('treatment', (row) =>
      expect(String((row as JsonObject).description)).toHaveLength(1024 * 1024),
    ),
    unknown_status: data('status', (row) => expect(row).toMatchObject({ status: 'Rescheduled (SMS)' })),
    status_empty: data('status', (row) => expect(row).toMatchObject({ status: '' })),
    status_other_case: data('status', (row) => expect(row).toMatchObject({ status: 'COMPLETED' })),
    status_time_seconds: data('status', (row) => expect(row).toMatchObject({ time: '10:00:00' })),
    other_patient: data('status', (row) =>
      expect(row).toMatchObject({ name: 'Somebody Else', time: '06:45' }),
    ),
  });
});
