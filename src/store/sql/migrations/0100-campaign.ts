import type { Migration } from './migration.ts';

const columns = [
  ...[
    'utm_source',
    'utm_medium',
    'campaign',
    'utm_term',
    'utm_content',
    'channel',
    'click_id',
    'click_id_kind',
  ],
  ...['landing_page', 'referrer', 'first_campaign', 'first_channel', 'first_touch_at'],
];
const adding = (type: string) => columns.map((column) => `ALTER TABLE bookings ADD COLUMN ${column} ${type}`);

/** The campaign of a lead. Older leads have none. */
export const campaign: Migration = {
  number: 100,
  name: 'campaign',
  statements: adding('TEXT'),
  postgres: adding('text COLLATE "C"'),
};
