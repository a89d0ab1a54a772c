import { readDate, readTime, wallClockAt } from '../../../../src/domain/date-time.ts';
import { DAY } from '../../../../src/platform/duration.ts';
import { attributes, type Html, html, type Part } from '../../../../src/platform/text/html.ts';
import { LONGEST_ANSWER, OTHER_TIME, TIME_WISH } from '../answers.ts';
import type { Formats } from '../formats.ts';
import { hoursLines, type OpenDay, openDays, selectableTimes, weekHours } from '../hours.ts';
import { type FormPage, input, labelled, option } from './fields.ts';

export const hours = ({ style: { texts, formats }, shown }: FormPage): Part => {
  const lines = hoursLines(shown.openingHours, formats);
  return (
    lines.length > 0 &&
    html`
      <section class="hours wide" id="hours">
        <h2>${texts.hours}</h2>
        <dl>
          ${lines.map(
            ({ days, hours: open }) =>
              html`<dt>${days}</dt><dd>${open === null ? texts.closed : html`<bdi dir="ltr">${open}</bdi>`}</dd>`,
          )}
        </dl>
      </section>
    `
  );
};

/** Whether the clinic is known to be closed on every day that could be chosen: visitors then ask to be called. */
export const isClosedDay = ({ shown: { openingHours }, nowMs, zone, daysAhead }: FormPage): boolean =>
  openDays({ openingHours, nowMs, zone }, daysAhead.list)?.length === 0;

/** A choice of open days by month, or a calendar when the clinic's hours are unknown. */
export function day(form: FormPage): Html {
  const { shown, nowMs, zone, daysAhead, values } = form;
  const range = { openingHours: shown.openingHours, nowMs, zone };
  const near = openDays(range, daysAhead.list);
  const field = 'appointment_date';
  const typed = values[field] ?? '';
  if (near === undefined)
    return input(
      form,
      field,
      'date',
      { type: 'date', required: true, ...days(form) },
      readDate(typed) === undefined ? quoted(typed) : undefined,
    );
  // A later open day may come from the clinic's own form.
  const later = openDays(range, daysAhead.calendar)?.find(({ date }) => date === values[field]);
  const open = later && !near.some(({ date }) => date === later.date) ? [...near, later] : near;
  const { texts, formats } = form.style;
  const dayOption = ({ date, at }: OpenDay) => option(date, formats.day(at), date === values[field]);
  const months = Map.groupBy(open, ({ at }) => formats.month(at));
  const groups = [...months].map(
    ([month, dates]) => html`<optgroup label="${month}">${dates.map(dayOption)}</optgroup>`,
  );
  return labelled(
    form,
    field,
    texts.date,
    (described) => html`
      <select${attributes({ id: field, name: field, required: true, ...described })}>
        ${option('', texts.choose_day, false)}${groups}
      </select>
    `,
    { hint: open.some(({ date }) => date === typed) ? undefined : quoted(shownDay(typed, formats)) },
  );
}

const shownDay = (typed: string, { day: text }: Formats): string =>
  readDate(typed) === typed ? text(Date.parse(typed)) : typed;

/** What the control of its field cannot show. */
const quoted = (typed: string): string | undefined => (typed === '' ? undefined : `“${typed}”`);

/** From today on the clinic's calendar. */
const days = ({ nowMs, zone, daysAhead }: FormPage) => ({
  min: wallClockAt(nowMs, zone).date,
  max: wallClockAt(nowMs + daysAhead.calendar * DAY, zone).date,
});

/** A choice of times, or a free wish; a clock when the clinic's hours are unknown. */
export function timeField(form: FormPage): Html {
  const { style, shown, values, settings } = form;
  const { texts, formats } = style;
  const [field, wish] = ['appointment_time', TIME_WISH];
  const hours = weekHours(shown.openingHours);
  const chosen = values[field] ?? '';
  const unread = readTime(chosen) === undefined ? quoted(chosen) : undefined;
  if (hours === undefined) return input(form, field, 'time', { type: 'time', required: true }, unread);
  const times = selectableTimes(hours, settings.time_step);
  // Another form may have asked for a time between these.
  const all = readTime(chosen) === chosen ? [...new Set([...times, chosen])].toSorted() : times;
  // What is no time was typed elsewhere, and is a wish.
  const words = chosen !== '' && chosen !== OTHER_TIME && readTime(chosen) === undefined ? chosen : undefined;
  const selected = words === undefined ? chosen : OTHER_TIME;
  const timeOption = (value: string, text: string) => option(value, text, value === selected);
  const offered = { class: 'times', required: true, 'data-hours': JSON.stringify(hours) };
  const choice = labelled(
    form,
    field,
    texts.time,
    (described) => html`
      <select${attributes({ id: field, name: field, ...offered, ...described })}>
        ${option('', texts.choose_time, false)}${all.map((one) => timeOption(one, formats.time(one)))}
        ${timeOption(OTHER_TIME, texts.other_time)}
      </select>
    `,
    { by: 'hours' },
  );
  const free = labelled(
    form,
    wish,
    texts.time_wish,
    (described) => {
      const given = { maxlength: LONGEST_ANSWER, value: values[wish] ?? words };
      return html`<input${attributes({ type: 'text', id: wish, name: wish, ...given, ...described })}>`;
    },
    { wide: 'wish' },
  );
  return html`${choice}${free}`;
}
