/** Views for users and reports. Except for a few functions, the SQL is the same in both dialects. */

export type ViewDialect = 'sqlite' | 'postgres';

interface Words {
  number(text: string): string;
  /** Truncates both to the minute, so that the sum is exact and equal in both dialects. */
  minutes(from: string, to: string): string;
  /** An instant's day, `ahead` seconds ahead of UTC, as the database calculates with it. */
  day(at: string, ahead: string): string;
  /** A day as a date. */
  date(day: string): string;
  /** From a day to a date sent by the clinic, which may be invalid. */
  days(from: string, date: string): string;
  now: string;
}

/** Seconds that the clinic's clock was ahead of UTC. */
const aheadAt = (at: string, clinic: string) => `coalesce((SELECT k.ahead FROM clinic_clocks k
    WHERE k.clinic = ${clinic} AND k.since <= ${at} ORDER BY k.since DESC LIMIT 1), 0)`;

/** The clinic's day at an instant: the one definition of every day that is counted. */
const dayOf = ({ day }: Words, at: string, clinic: string): string => day(at, aheadAt(at, clinic));

const ON_A_DAY = "'^[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9]$'";

const words: Record<ViewDialect, Words> = {
  sqlite: {
    number: (text) => `CAST(${text} AS REAL)`,
    minutes: (from, to) =>
      `CAST(round((julianday(substr(${to}, 1, 16)) - julianday(substr(${from}, 1, 16))) * 1440) AS INTEGER)`,
    // Whole numbers: dates as text would double the time of a year's report.
    day: (at, ahead) => `(unixepoch(substr(${at}, 1, 19)) + ${ahead}) / 86400`,
    date: (day) => `date((${day}) * 86400, 'unixepoch')`,
    days: (from, date) => `unixepoch(${date}) / 86400 - ${from}`,
    now: `strftime('%Y-%m-%dT%H:%M:%S.000Z', 'now')`,
  },
  postgres: {
    number: (text) => `CAST(${text} AS numeric)`,
    minutes: (from, to) =>
      `CAST(extract(epoch FROM CAST(substr(${to}, 1, 16) AS timestamp) - ` +
      `CAST(substr(${from}, 1, 16) AS timestamp)) / 60 AS bigint)`,
    day: (at, ahead) =>
      `CAST(CAST(substr(${at}, 1, 19) AS timestamp) + ${ahead} * interval '1 second' AS date)`,
    date: (day) => `CAST(${day} AS text)`,
    // Adds the day to the month, because a cast of 31 February would fail.
    days: (from, date) =>
      `CASE WHEN ${date} ~ ${ON_A_DAY} THEN CAST(CAST(substr(${date}, 1, 8) || '01' AS date) + ` +
      `CAST(substr(${date}, 9, 2) AS integer) - 1 - ${from} AS bigint) END`,
    now: `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`,
  },
};

const LOST = "('rejected', 'expired', 'dropped')";

/** The visit disappeared before the clinic recorded how it ended. */
const VISIT_LOST = "b.lost_at IS NOT NULL AND coalesce(s.outcome, 'unknown') IN ('booked', 'unknown')";

/** According to the appointment's status and `status_outcomes`; `unknown` if its meaning is not configured. */
const OUTCOME = `CASE WHEN b.state IN ('booked', 'booked_no_id')
    THEN CASE WHEN ${VISIT_LOST} THEN 'lost' WHEN a.status IS NULL THEN 'booked' ELSE coalesce(s.outcome, 'unknown') END
    WHEN b.state IN ${LOST} THEN 'lost' ELSE 'open' END`;

/** The reason of its last hold. */
const LAST_HOLD = `SELECT e.reason FROM booking_events e WHERE e.ref = b.ref AND e.to_state = 'held'
    ORDER BY e.n DESC LIMIT 1`;

function leads(words: Words): string {
  const { number, minutes, days } = words;
  const lead = `SELECT b.clinic, b.ref, b.source, b.campaign, b.channel, b.click_id, b.click_id_kind,
    b.first_campaign, b.first_channel, b.state, ${OUTCOME} AS outcome, a.status,
    CASE WHEN b.state = 'rejected' THEN 'rejected'
      WHEN b.state IN ('booked', 'booked_no_id') THEN CASE WHEN ${VISIT_LOST} THEN 'missing' END
      WHEN b.state IN ${LOST} THEN coalesce(b.reason, (${LAST_HOLD}), b.state) END AS lost_reason,
    b.received_at, b.booked_at, CASE WHEN s.outcome = 'completed' THEN b.completed_at END AS completed_at,
    CASE WHEN b.retracted_at IS NULL THEN b.completed_at END AS converted_at,
    b.treatment_id, b.doctor_id, CASE WHEN b.retracted_at IS NULL THEN b.fee END AS fee_as_sent,
    CASE WHEN b.retracted_at IS NULL THEN b.currency END AS currency,
    ${minutes('b.received_at', 'b.booked_at')} AS minutes_to_booking,
    CASE WHEN b.booked_at IS NOT NULL
      THEN ${days(dayOf(words, 'b.received_at', 'b.clinic'), 'coalesce(a.date, b.appointment_date)')}
      END AS days_to_visit
  FROM bookings b
  LEFT JOIN appointments a ON a.clinic = b.clinic AND a.appointment_id = b.appointment_id
  LEFT JOIN status_outcomes s ON s.clinic = a.clinic AND s.status = a.status
  WHERE b.kind = 'booking'
  UNION ALL
  SELECT clinic, NULL, source, campaign, channel, NULL, NULL, first_campaign, first_channel, state, outcome, NULL,
    lost_reason, received_at, booked_at, completed_at, NULL, treatment_id, doctor_id, fee, currency,
    minutes_to_booking, days_to_visit
  FROM archived_leads`;
  return `SELECT clinic, ref, source, campaign, channel, click_id, click_id_kind, first_campaign, first_channel, state,
    outcome, status, lost_reason, received_at, booked_at, completed_at, converted_at, treatment_id, doctor_id,
    ${number('fee_as_sent')} AS fee, currency, fee_as_sent,
      CAST(minutes_to_booking AS double precision) / 60 AS hours_to_booking, days_to_visit,
    minutes_to_booking
  FROM (${lead}) all_of_them`;
}

/** When it was booked, or first tracked. */
const BOOKED = 'coalesce(b.booked_at, a.first_seen_at)';

function appointmentsOpen(words: Words): string {
  const on = dayOf(words, BOOKED, 'a.clinic');
  const age = words.days(on, words.date(dayOf(words, words.now, 'a.clinic')));
  return `SELECT a.clinic, a.appointment_id, a.ref, a.status,
    CASE WHEN a.status IS NULL THEN 'booked' ELSE coalesce(s.outcome, 'unknown') END AS outcome,
    b.source, b.campaign, b.channel, b.doctor_id, d.doctor_name AS dentist, b.treatment_id,
    t.treatment_name AS treatment, a.date, a.time, ${BOOKED} AS booked_at, ${age} AS age, ${words.date(on)} AS booked_on
  FROM appointments a
  LEFT JOIN status_outcomes s ON s.clinic = a.clinic AND s.status = a.status
  LEFT JOIN bookings b ON b.ref = a.ref
  LEFT JOIN dentists_things d ON d.clinic = a.clinic AND d.id = CAST(b.doctor_id AS text)
  LEFT JOIN treatments_things t ON t.clinic = a.clinic AND t.id = CAST(b.treatment_id AS text)
  WHERE a.removed_at IS NULL AND coalesce(s.outcome, 'booked') NOT IN ('completed', 'cancelled', 'no_show')`;
}

export const leadViews = (dialect: ViewDialect): { name: string; select: string }[] => [
  { name: 'leads', select: leads(words[dialect]) },
  { name: 'appointments_open', select: appointmentsOpen(words[dialect]) },
];
