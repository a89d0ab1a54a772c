/** @module-tag thorough */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plot } from '../../src/http/pages/parts/charts/plot.ts';
import { barChart as barsOverTime } from '../../src/http/pages/parts/charts/traffic-charts.ts';
import { stylesheet } from '../../src/http/pages/parts/stylesheet.ts';
import { HOUR } from '../../src/platform/duration.ts';
import { type Html, html, toText } from '../../src/platform/text/html.ts';
import { localeOf } from '../../src/platform/text/locale.ts';
import { printedBarChart } from '../../src/reports/charts.ts';
import { chromiumPath, closed, launchBrowser } from '../support/browser.ts';
import { needing } from '../support/program.ts';

const patience = 120_000;

/** Realistic and absurd names of campaigns, statuses, dentists and weekdays. */
const labels = [
  ...['website', 'Mon', 'dr-rahman-implants-autumn-2027-retargeting', 'WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW'],
  ...[
    'MMMM MMMM MMMM MMMM MMMM',
    '种植牙_春季_朝阳区_免费咨询_微信_小程序_第二季度',
    'বসন্তকালীন দাঁতের চিকিৎসা অফার ২০২৬ ঢাকা শাখা',
  ],
  ...[
    'زراعة الأسنان في رمضان مع استشارة مجانية للمرضى الجدد',
    'शरद ऋतु में दंत प्रत्यारोपण परामर्श निःशुल्क',
    '歯のホワイトニングキャンペーン春',
  ],
  ...[
    'Zahnimplantate-Herbstaktion-Süddeutschland',
    '😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀',
    'iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii',
    '',
    '=1+1',
  ],
];
const values = [0, 1, 7, 12, 999, 1_234_567, 98_765_432];
const locales = ['en', 'ar', 'bn', 'de', 'hi', 'tr'] as const;
type Lang = (typeof locales)[number];
const now = Date.UTC(2026, 8, 30, 21, 45);

/** Every text that is drawn outside its picture, or over what it labels. */
const outside = `[...document.querySelectorAll('svg')].flatMap((svg) => {
  const { x, y, width, height } = svg.viewBox.baseVal;
  const bars = [...svg.querySelectorAll('rect')].map((one) => one.getBBox()).filter((one) => one.width > 0);
  return [...svg.querySelectorAll('text')].flatMap((text) => {
    const box = text.getBBox();
    if (text.textContent === '') return [];
    const by = Math.max(x - box.x, y - box.y, box.x + box.width - x - width, box.y + box.height - y - height);
    const over = bars.some((bar) => bar.y < box.y + box.height / 2 && bar.y + bar.height > box.y + box.height / 2 &&
      bar.x < box.x + box.width - 1 && bar.x + bar.width > box.x + 1);
    const said = svg.getAttribute('aria-label') ?? svg.textContent;
    return [
      ...(by > 0.5 ? [text.textContent + ' is ' + by.toFixed(1) + ' outside of ' + said.slice(0, 60)] : []),
      ...(over ? [text.textContent + ' is over a bar of ' + said.slice(0, 60)] : []),
    ];
  });
})`;

const shown = (charts: readonly Html[], dir: string): string =>
  `<!doctype html><html dir="${dir}"><head><meta charset="utf-8"><style>${stylesheet}</style></head><body>${charts.map(toText).join('')}</body></html>`;

/** Bars of every label and every value, with amounts behind them. */
const bars = (lang: Lang): Html[] => {
  const { dir, number, t } = localeOf(lang);
  const words = { dir, number, nothing: t('no_leads') };
  return [
    printedBarChart(`${'Bright Dental of the Northern Quarter, '.repeat(3)}leads`, [], words),
    ...values.map((value) =>
      printedBarChart(
        `Leads of ${value}`,
        labels.map((label, at) => ({
          label,
          value: Math.floor(value / (at + 1)),
          shown: `${number(value)} (${number(value)})`,
        })),
        words,
      ),
    ),
    ...labels.map((label) => printedBarChart(label, [{ label, value: 12 }], words)),
  ];
};

const overTime = (lang: Lang): Html[] => {
  const locale = localeOf(lang);
  const charts = values.flatMap((value, at) => [
    plot(
      {
        title: 'Patients',
        points: [
          { at: now - 400 * HOUR, value: 0 },
          { at: now - HOUR, value },
        ],
        now,
        id: `p${at}`,
      },
      locale,
    ),
    barsOverTime(
      {
        ...{
          title: 'Answer time',
          words: 'words',
          id: `b${at}`,
          from: now - 168 * HOUR,
          to: now,
          stepMs: HOUR,
        },
        bars: [{ at: now - HOUR, values: [value] }],
        level: (level: number) => `${locale.number(level)} ms`,
      },
      locale,
    ),
  ]);
  return charts.map((chart) => html`<div class="plots"><figure>${chart}</figure></div>`);
};

describe.skipIf(chromiumPath === undefined)(`charts in a browser${needing('Chromium', chromiumPath)}`, () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 900, height: 900 } });
    page.setDefaultTimeout(patience);
  }, patience);
  afterAll(() => closed(browser), patience);

  it.each(locales)(
    'draws every label, value and title within its picture, in %s',
    async (lang) => {
      await page.setContent(shown([...bars(lang), ...overTime(lang)], localeOf(lang).dir));

      expect(await page.evaluate('document.querySelectorAll("svg text").length')).toBeGreaterThan(300);
      expect(await page.evaluate(outside)).toEqual([]);
    },
    patience,
  );

  it(
    'keeps the whole name of what it cuts for whoever points at it',
    async () => {
      const [, , long = ''] = labels;
      const { dir, number } = localeOf('en');
      const words = { dir, number, nothing: '' };
      await page.setContent(shown([printedBarChart('Leads', [{ label: long, value: 3 }], words)], 'ltr'));

      const label = page.locator('svg text', { hasText: '…' });
      expect(await label.locator('title').textContent()).toBe(long);
      expect(await label.textContent()).toMatch(/dr-rahman-implants-autumn.*…$/);
    },
    patience,
  );
});
