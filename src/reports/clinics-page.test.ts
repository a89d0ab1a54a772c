import { expect, it } from 'vitest';
import { sampleReport } from '../../test/support/http/sample-report.ts';
import { clinicsPage } from './clinics-page.ts';

const [sample] = sampleReport(0).clinics;
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ ...sample, clinic: `clinic-${n}` })) as ReturnType<
    typeof sampleReport
  >['clinics'];
const reason = {
  health: 'trouble',
  kind: 'unreachable',
  subject: 'unreachable',
  sentence: '',
  since: null,
} as const;
const keys = (all: readonly { clinic: string }[]) => all.map(({ clinic }) => clinic);

it('leaves a few clinics in configuration order', () => {
  const page = clinicsPage(
    { clinics: many(5), needs: [], reasons: [{ ...reason, clinic: 'clinic-3' }] },
    { limit: 5 },
  );

  expect(page).toMatchObject({ next: null, left: 0 });
  expect(keys(page.shown)).toEqual(['clinic-0', 'clinic-1', 'clinic-2', 'clinic-3', 'clinic-4']);
});

it('puts clinics with trouble or needs first, and shows each once', () => {
  const needs = [
    {
      kind: 'booking',
      clinic: 'clinic-700',
      subject: 'CS-1',
      sentence: '',
      action: '',
      since: '',
      urgent: false,
    },
  ] as const;
  const report = {
    clinics: many(1_000),
    needs: [...needs],
    reasons: [{ ...reason, clinic: 'clinic-900' }],
  };
  const seen: string[] = [];

  const first = clinicsPage(report, { limit: 300 });
  for (let page = first; ; page = clinicsPage(report, { limit: 300, after: page.next ?? '' })) {
    seen.push(...keys(page.shown));
    if (page.next === null) break;
  }

  expect(keys(first.shown).slice(0, 3)).toEqual(['clinic-700', 'clinic-900', 'clinic-0']);
  expect(first.left).toBe(700);
  expect(seen).toHaveLength(1_000);
  expect(new Set(seen).size).toBe(1_000);
});
