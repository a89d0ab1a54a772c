import type { ChainReport } from '../../../src/store/ports/changes.ts';
import { minute } from './samples.ts';

type FalseRow = [what: string, statement: string, differs: Partial<NonNullable<ChainReport['differs']>>];

/** What an outsider alters where reports read it, with an intact log, and what `verify` says. */
export const FALSE_ROWS: FalseRow[] = [
  [
    'a fee that was altered where reports read it',
    `update fee_periods set fee = '99.00' where clinic = 'main' and id = '2'`,
    {
      resource: 'treatment fee period',
      id: '2',
      field: 'fee',
      stored: '99.00',
      logged: '120.50',
      sequence: 2,
    },
  ],
  [
    'the day from which a fee held',
    `update fee_periods set valid_from = '2020-01-01T00:00:00.000Z' where clinic = 'main' and id = '3'`,
    { field: 'valid_from', stored: '2020-01-01T00:00:00.000Z', logged: minute(0) },
  ],
  [
    'a fee period that was deleted',
    `delete from fee_periods where clinic = 'main' and id = '4'`,
    { resource: 'treatment fee period', id: '4', field: null, stored: null, sequence: 4 },
  ],
  [
    'a fee period that was made up',
    `update fee_periods set sequence = 9 where clinic = 'main' and id = '4'`,
    { resource: 'treatment fee period', id: '4', field: null, logged: null, sequence: 9 },
  ],
  [
    'a current fee',
    `update treatments_things set base_fee = '99.00' where clinic = 'main' and id = '2'`,
    { resource: 'treatment', id: '2', field: 'base_fee', stored: '99.00', logged: '120.50', sequence: 2 },
  ],
  [
    'a treatment that was taken away',
    `update treatments_things set removed_at = '${minute(9)}' where clinic = 'main' and id = '2'`,
    { id: '2', field: 'removed_at', stored: minute(9), logged: null },
  ],
  [
    'a treatment without its row',
    `delete from treatments_things where clinic = 'main' and id = '3'`,
    { resource: 'treatment', id: '3', field: null, stored: null, sequence: 3 },
  ],
  [
    'a treatment that was made up',
    `update treatments_things set id = '9' where clinic = 'main' and id = '3'`,
    { resource: 'treatment', id: '9', field: null, logged: null, sequence: null },
  ],
  [
    'the state of a lead',
    `update bookings set state = 'rejected' where clinic = 'main' and patient_name like 'Zebedee%'`,
    { resource: 'booking', field: 'state', stored: 'rejected', logged: 'dropped', sequence: 7 },
  ],
  [
    'the source of a lead',
    `update bookings set source = 'other' where clinic = 'main' and patient_name like 'Yara%'`,
    { resource: 'booking', field: 'source', stored: 'other', sequence: 10 },
  ],
  [
    'a booking that is said to be on its way',
    `update bookings set state = 'sending' where patient_name like 'Zebedee%'`,
    { resource: 'booking', field: 'state', stored: 'sending', logged: 'dropped' },
  ],
  [
    'the campaign of a lead, without printing it',
    `update bookings set campaign = 'mine' where patient_name like 'Zebedee%'`,
    { resource: 'booking', field: 'campaign', stored: '…', logged: '…', sequence: 7 },
  ],
  [
    'the name of a fee',
    `update fee_periods set name = 'Free' where clinic = 'main' and id = '3'`,
    { resource: 'treatment fee period', field: 'name', stored: 'Free', logged: 'Treatment 3' },
  ],
  [
    'a fee period of before the log',
    `insert into fee_periods (clinic, kind, id, sequence, fee, valid_from, valid_to)
      values ('main', 'treatment', '3', 0, '1.00', '2020-01-01T00:00:00.000Z', '${minute(0)}')`,
    { resource: 'treatment fee period', id: '3', field: null, logged: null, sequence: 0 },
  ],
  [
    'a conversion that was made up',
    `update bookings set completed_at = '${minute(9)}', fee = '99.00' where patient_name like 'Yara%'`,
    { resource: 'conversion of lead', field: null, logged: null },
  ],
  [
    'a retraction that was made up',
    `insert into retractions (ref, n, clinic, converted_at, retracted_at)
      select ref, 1, clinic, '${minute(8)}', '${minute(9)}' from bookings where patient_name like 'Yara%'`,
    { resource: 'retraction of lead', field: null, logged: null },
  ],
  [
    'a removed lead that never was',
    `insert into archived_leads (clinic, source, state, outcome, received_at)
      values ('main', 'website', 'booked', 'completed', '${minute(0)}')`,
    { resource: 'count of removed', id: 'leads', logged: null },
  ],
  [
    'removed visits that never were',
    `insert into archived_visits (clinic, date, status, visits) values ('main', '2026-03-02', 'Completed', 1)`,
    { resource: 'count of removed', id: 'visits', logged: null },
  ],
  [
    'counts of leads that never came',
    `update booking_counts set count = count + 5 where clinic = 'main'`,
    { resource: 'leads', id: 'all', field: 'count', stored: '13', logged: '3' },
  ],
  [
    'the state in which leads are counted',
    `update booking_counts set state = 'booked' where clinic = 'main' and state = 'dropped'`,
    { resource: 'leads', id: 'website dropped', field: 'count', stored: '0', logged: '3' },
  ],
  [
    'the day on which leads are counted',
    `update booking_counts set bucket = '2020-01-01T00:00' where clinic = 'main' and bucket <> '' and state = 'dropped'`,
    { resource: 'leads', id: 'website dropped', field: 'count', stored: '0', logged: '3' },
  ],
  [
    'leads that are counted in no quarter of an hour',
    `update booking_counts set count = count + 1 where clinic = 'main' and bucket <> ''`,
    { resource: 'leads', field: 'count' },
  ],
  [
    'by which change a fee ended',
    `update fee_periods set removed_by = 4 where clinic = 'main' and id = '3'`,
    { resource: 'treatment fee period', field: 'removed_by', stored: '4', logged: null },
  ],
  [
    'the name of a patient, without printing it',
    `update bookings set patient_name = 'Mine' where patient_name like 'Zebedee%'`,
    { resource: 'booking', field: 'patient_name', stored: '…', logged: '…' },
  ],
];
