import type { Instant } from '../../platform/clock.ts';
import type { PlainText } from '../../texts/texts.ts';
import type { LeadOutcome } from '../bookings/status-outcome.ts';
import type { Period } from '../date-time.ts';
import type { ListedPrice } from './fees.ts';

/**
 * A column of a report, of which the command, the page, CSV, JSON, workbooks, the month and the API are made.
 * `key`: text that is always there; `number`: not always whole; `money`: a decimal text in the currency that the row
 * has beside it; `worth`: a sum of amounts, null in several currencies.
 */
export interface ReportColumn {
  type: 'key' | 'text' | 'count' | 'number' | 'money' | 'worth' | 'hours' | 'days' | 'instant';
  /** Default: its name. */
  label?: PlainText;
  /** Counts the leads with this outcome. */
  outcome?: LeadOutcome;
  /** Its figure in the period before is `NAME_before`. */
  before?: true;
  /** Of several rows the largest; otherwise counts and amounts are added, and there is no total of the rest. */
  total?: 'largest';
  /** Where an amount's currency is; default: `currency`. */
  currency?: string;
  /** Only in files, JSON and the API. */
  isData?: true;
  /** Instead of nothing. */
  missing?: PlainText;
  /** The words of its values. */
  words?: Readonly<Record<string, PlainText>>;
}

export type ReportColumns = Readonly<Record<string, ReportColumn>>;

type ValueOf<Column extends ReportColumn> = Column['type'] extends 'key'
  ? string
  : Column['type'] extends 'count'
    ? number
    : Column['type'] extends 'text' | 'money' | 'instant'
      ? string | null
      : number | null;

/** A row of a report with these columns. */
export type RowOf<Columns extends ReportColumns> = {
  -readonly [Name in keyof Columns]: ValueOf<Columns[Name]>;
} & {
  -readonly [Name in keyof Columns as Columns[Name] extends { before: true }
    ? `${Name & string}_before`
    : never]: ValueOf<Columns[Name]>;
};

const clinic = { type: 'key', label: 'clinic' } as const;
const currency = { type: 'text', label: 'currency', isData: true } as const;

/**
 * The outcomes of leads received in a period. `booked`: accepted by the clinic, whatever became of the visit; each lead
 * is in one of the columns from `to_come` to `lost`. `value`: of completed visits, at the fees of their day; null if in
 * several currencies.
 */
export const leadFigures = {
  leads: { type: 'count', label: 'leads', before: true },
  booked: { type: 'count', label: 'lead_booked', before: true },
  to_come: { type: 'count', label: 'lead_to_come', outcome: 'booked' },
  completed: { type: 'count', label: 'lead_completed', outcome: 'completed', before: true },
  cancelled: { type: 'count', label: 'lead_cancelled', outcome: 'cancelled' },
  no_show: { type: 'count', label: 'lead_no_show', outcome: 'no_show' },
  unknown: { type: 'count', label: 'unknown_value', outcome: 'unknown' },
  open: { type: 'count', label: 'lead_open', outcome: 'open' },
  lost: { type: 'count', label: 'lead_lost', outcome: 'lost' },
  value: { type: 'worth', label: 'lead_value', before: true },
  currency,
} as const satisfies ReportColumns;

export type LeadCount = {
  [Name in keyof typeof leadFigures as (typeof leadFigures)[Name]['type'] extends 'count'
    ? Name
    : never]: number;
};

/** Leads of a period with the same source, campaign and so on, beside the month before, or as many days before. */
export const leadColumns = {
  clinic,
  group: { type: 'text', label: 'source', missing: 'none' },
  ...leadFigures,
  /** Averages over those booked. */
  hours_to_booking: { type: 'hours', label: 'to_booking', isData: true },
  days_to_visit: { type: 'days', label: 'to_visit' },
} as const satisfies ReportColumns;
export type LeadsRow = RowOf<typeof leadColumns>;

/** What leads are grouped by. */
export const leadGroupNames = {
  source: 'source',
  campaign: 'by_campaign',
  channel: 'by_channel',
  dentist: 'dentist',
  treatment: 'treatment',
  month: 'by_month',
} as const satisfies Record<string, PlainText>;
export type LeadGroup = keyof typeof leadGroupNames;
export const leadGroups = Object.keys(leadGroupNames) as LeadGroup[];

/**
 * All visits of one clinic with the same status, dentist or source, and those of them that are open, by days of the
 * clinic's calendar since booking.
 */
export const visitColumns = {
  clinic,
  group: { type: 'text', label: 'state', missing: 'unknown_value' },
  visits: { type: 'count', label: 'visits' },
  open: { type: 'count', label: 'lead_open' },
  days_0_7: { type: 'count', label: 'days_0_7' },
  days_8_30: { type: 'count', label: 'days_8_30' },
  days_31_90: { type: 'count', label: 'days_31_90' },
  days_over_90: { type: 'count', label: 'days_over_90' },
  oldest_days: { type: 'days', label: 'oldest', total: 'largest' },
} as const satisfies ReportColumns;
export type VisitsRow = RowOf<typeof visitColumns>;

/** The same without those that have ended. */
export const openVisitColumns = (({ visits: _visits, ...open }) => open)(visitColumns);
export type OpenVisits = Omit<VisitsRow, 'visits' | 'oldest_days'> & { oldest_days: number };

export const openVisitGroups = ['status', 'dentist', 'source'] as const;
export type OpenVisitGroup = (typeof openVisitGroups)[number];

const item = {
  kind: {
    ...{ type: 'key', label: 'kind' },
    words: { treatment: 'thing_treatment', dentist: 'thing_dentist' },
  },
  id: { type: 'key', label: 'number' },
  name: { type: 'text', label: 'name' },
} as const satisfies ReportColumns;

export const priceColumns = {
  clinic,
  ...item,
  fee: { type: 'money', label: 'fee' },
  currency,
  since: { type: 'instant', label: 'since' },
  until: { type: 'instant', label: 'until' },
} as const satisfies ReportColumns;

export const feeChangeColumns = {
  clinic,
  noticed_at: { type: 'instant', label: 'noticed' },
  poll: { type: 'key', label: 'noticed_by', isData: true },
  sequence: { type: 'count', label: 'change', isData: true },
  what: {
    ...{ type: 'key', label: 'what' },
    words: { new: 'verb_created', changed: 'verb_updated', removed: 'verb_removed', currency: 'currency' },
  },
  ...item,
  before: { type: 'money', label: 'fee_before', currency: 'currency_before' },
  currency_before: { ...currency, label: 'currency_before' },
  after: { type: 'money', label: 'fee_after' },
  currency,
  difference: { type: 'money', label: 'difference' },
} as const satisfies ReportColumns;

/** Changes of the log, field by field; of a patient, only which fields changed. */
export const changedFieldColumns = {
  clinic,
  sequence: { type: 'count', label: 'change' },
  at: { type: 'instant', label: 'when' },
  type: { type: 'key', label: 'event' },
  resource: { type: 'key', label: 'resource' },
  id: { type: 'key', label: 'number' },
  name: { type: 'text', label: 'name' },
  field: { type: 'text', label: 'what' },
  before: { type: 'text', label: 'fee_before' },
  after: { type: 'text', label: 'fee_after' },
} as const satisfies ReportColumns;

export const incidentColumns = {
  clinic: { type: 'text', label: 'clinic' },
  kind: { type: 'key', label: 'kind' },
  subject: { type: 'text', label: 'audit_subject' },
  health: { type: 'key', label: 'state', words: { trouble: 'health_trouble', stale: 'health_stale' } },
  sentence: { type: 'key', label: 'detail' },
  since: { type: 'instant', label: 'since' },
  ended_at: { type: 'instant', label: 'until' },
} as const satisfies ReportColumns;

export const auditColumns = {
  at: { type: 'instant', label: 'when' },
  actor: { type: 'key', label: 'who' },
  role: { type: 'key', label: 'kind' },
  action: { type: 'key', label: 'what' },
  subject: { type: 'text', label: 'audit_subject' },
  result: { type: 'key', label: 'result' },
  address: { type: 'text', label: 'from_address' },
} as const satisfies ReportColumns;

export const bookingColumns = {
  clinic,
  ref: { type: 'key', label: 'reference' },
  state: { type: 'key', label: 'state' },
  reason: { type: 'text', label: 'why' },
  source: { type: 'key', label: 'source' },
  campaign: { type: 'text', label: 'by_campaign' },
  patient_name: { type: 'text', label: 'patient' },
  patient_phone: { type: 'text', label: 'phone' },
  appointment_date: { type: 'text', label: 'date' },
  appointment_time: { type: 'text', label: 'time' },
  doctor: { type: 'text', label: 'dentist' },
  treatment: { type: 'text', label: 'treatment' },
  note: { type: 'text', label: 'note' },
  appointment_id: { type: 'text', label: 'appointment_number' },
  received_at: { type: 'instant', label: 'came_in' },
} as const satisfies ReportColumns;

/** Days of the visits, both inclusive; any if left out. */
export type VisitPeriod = { [D in keyof Period]?: string | undefined };

export interface PriceList {
  clinic: string;
  timezone: string;
  /** Day of the clinic's calendar; prices are as at its end, or current. */
  on: string;
  known_since: Instant | null;
  prices: ListedPrice[];
}

export interface PricesAsked {
  /** Default: today. */
  day?: string | undefined;
  /** Default: both. */
  kind?: ListedPrice['kind'] | undefined;
  /** The id of the last item of the previous page. */
  after?: string | undefined;
  /** Maximum per kind; default: all. */
  limit?: number | undefined;
}

export interface PricePage extends PriceList {
  /** Where the next page of each kind starts, if there is one. */
  next: { kind: ListedPrice['kind']; after: string }[];
}
