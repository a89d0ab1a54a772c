import { type Instant, toMs } from '../../platform/clock.ts';
import { formatDuration } from '../../platform/duration.ts';
import { type Html, html } from '../../platform/html.ts';

/** Shorter distances are “now”. */
const INSTANT_MS = 5_000;

function relative(at: Instant, now: number): string {
  const ms = now - toMs(at);
  if (Math.abs(ms) < INSTANT_MS) return ms < 0 ? 'now' : 'just now';
  return ms > 0 ? `${formatDuration(ms)} ago` : `in ${formatDuration(-ms)}`;
}

const utc = (at: Instant): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;

/** A relative time, with the exact moment as its title. */
export function timeTag(at: Instant | null, now: number, missing = 'never'): Html {
  if (at === null || Number.isNaN(toMs(at))) return html`<span class="faint">${missing}</span>`;
  return html`<time datetime="${at}" title="${utc(at)}">${relative(at, now)}</time>`;
}

export const number = (value: number): string => value.toLocaleString('en-GB');
