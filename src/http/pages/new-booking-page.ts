import { whyWords } from '../../domain/status/need-words.ts';
import { html } from '../../platform/text/html.ts';
import type { Locale } from '../../platform/text/locale.ts';
import type { BookingChoices, FieldProblem } from '../desk.ts';
import { type FieldTexts, fieldInputs } from './parts/field-inputs.ts';
import { formField, layout, typedOn, type Viewer } from './parts/layout.ts';

interface NewBooking {
  /** Undefined while one of several is to be chosen. */
  clinic: string | undefined;
  clinics: readonly string[];
  choices: BookingChoices | undefined;
  /** Of what was typed before. */
  faults: readonly FieldProblem[];
  /** A new one for each form: sent twice, it is one booking. */
  submissionId: string;
  viewer: Viewer;
}

/** Where the desk takes down a booking for a patient on the phone. */
export function newBookingPage({
  clinic,
  clinics,
  choices,
  faults,
  submissionId,
  viewer,
}: NewBooking): string {
  const { locale } = viewer;
  const { t } = locale;
  const typed = typedOn(viewer);
  const problems = problemsOf(faults, locale);
  const others = clinics.filter((one) => one !== clinic);
  return layout({
    title: t('new_booking'),
    viewer,
    script: true,
    body: html`
      <p><a href="/bookings">${t('bookings')}</a></p>
      <div class="heading"><h1>${t('new_booking')}</h1></div>
      <p class="lead">${t('new_booking_lead')}</p>
      ${
        others.length > 0 &&
        html`
          <form class="search" action="/bookings/new">
            <label>
              ${t('clinic')}
              <select name="clinic" required>
                ${clinic === undefined && html`<option value="">${t('not_chosen')}</option>`}
                ${clinics.map((key) => html`<option${key === clinic && html` selected`}>${key}</option>`)}
              </select>
            </label>
            <button class="quiet">${t('show')}</button>
          </form>
        `
      }
      ${
        choices !== undefined &&
        html`
          <section class="card ways" aria-label="${t('new_booking')}">
            <form method="post" action="/admin/bookings/add" autocomplete="off">
              ${formField(viewer.formToken, viewer.here)}
              <input type="hidden" name="submission_id" value="${typed.submission_id ?? submissionId}">
              ${others.length > 0 && html`<input type="hidden" name="clinic" value="${clinic ?? ''}">`}
              ${fieldInputs({ booking: {}, typed, problems, focus: 'patient_name', choices, locale })}
              <div class="buttons"><button>${t('book_it')}</button></div>
            </form>
          </section>
        `
      }
    `,
  });
}

/** English has a sentence for each; other languages what the reason means. */
function problemsOf(faults: readonly FieldProblem[], locale: Locale): FieldTexts {
  const words = ({ reason, message }: FieldProblem): string => {
    if (reason === 'missing_field') return locale.t('is_missing');
    return locale.isSource ? message : whyWords({ state: 'held', reason }, locale);
  };
  // The most serious first; one is enough.
  return Object.fromEntries(faults.toReversed().map((fault) => [fault.field, words(fault)]));
}
