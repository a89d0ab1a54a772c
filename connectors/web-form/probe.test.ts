import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ProbeLead } from '../../src/connector.ts';
import { readFormat, writeFormat } from '../../src/domain/date-time-format.ts';
import type { OpenedWebForm } from '../../test/support/forms/web-form.ts';
import { clinicZone, intakeRequest, openPreset, openWebForm } from '../../test/support/forms/web-form.ts';
import { presetNames } from './presets/presets.ts';

const pages = globSync('connectors/web-form/{README.md,docs/*.md}').map((page) => readFileSync(page, 'utf8'));
/** Every documented configuration of a form. */
const examples = [...pages.join('\n').matchAll(/```yaml\n([\s\S]*?)```/g)]
  .map(([, text = '']) => parse(text.replaceAll(/\$\{\w+\}/g, 'a-token-of-the-form')))
  .flatMap(({ connectors }) => Object.values<Record<string, unknown>>(connectors))
  .flatMap(({ use, ...settings }) => (use === 'web-form' ? [settings] : []));

const lead: ProbeLead = {
  id: 'probe-1',
  clinic: 'main',
  fields: {
    patient_name: 'clinic-sync probe',
    patient_phone: '+44 7700 900123',
    appointment_date: '2026-03-09',
    appointment_time: '14:30',
  },
};

async function received({ intake }: Pick<OpenedWebForm, 'intake'>) {
  const { path, headers, body } = await intake.probe(lead);
  const query = new URLSearchParams('validate=1');
  const here = { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' };
  return intake.receive(intakeRequest(body, { ...here, ...headers }, { path, query }));
}

describe('the probe of a form', () => {
  it.each(presetNames)('is what %s sends, proven and read to the last field', async (preset) => {
    expect(await received(await openPreset(preset))).toMatchObject({
      kind: 'submission',
      submission: { fields: lead.fields },
    });
    const { submission } = (await received(await openPreset(preset))) as { submission: object };
    expect(submission).not.toHaveProperty('problems');
  });

  it('writes the fields where the rules of the configuration read them', async () => {
    const fields = {
      patient_name: '{{first}} {{last}}',
      patient_phone: { from: ['Telefon', 'Mobil'] },
      appointment_date: { from: '{{day}}.{{month}}.{{year}}', format: 'DD.MM.YYYY' },
      appointment_time: { from: 'Uhrzeit', format: 'h:mm A' },
      clinic: { from: 'Praxis', options: { 'Am See': 'main', 'Am Berg': 'hill' } },
    };
    const clinics = ['hill', 'main'].map((clinic) => ({ clinic, timezone: clinicZone }));
    const opened = await openWebForm(
      { preset: 'contact-form-7', token: 'a-token-of-the-form', fields },
      { clinics },
    );

    expect((await opened.intake.probe(lead)).body).toBe(
      JSON.stringify({
        ...{ first: 'clinic-sync', last: 'probe', Telefon: '+44 7700 900123' },
        ...{ day: '09', month: '03', year: '2026', Uhrzeit: '2:30 PM', Praxis: 'Am See' },
      }),
    );
    expect(await received(opened)).toMatchObject({ submission: { clinic: 'main', fields: lead.fields } });
  });

  it.each(examples)('gets through each form of the README: %#', async (settings) => {
    const answer = await received(await openWebForm(settings));

    expect(answer).toMatchObject({
      kind: 'submission',
      submission: { fields: { patient_name: 'clinic-sync probe' } },
    });
    expect((answer as { submission: object }).submission).not.toHaveProperty('problems');
  });

  it('answers what a form requires', async () => {
    const questions = [
      { name: 'pain', label: 'In pain?', type: 'choice', options: ['No', 'Yes'], required: true },
      { name: 'first', label: 'First visit?', type: 'tick', required: true },
      { name: 'why', label: { en: 'Why?' }, required: true },
    ];
    const form = { consent: {}, ask: ['email', 'note'], questions };
    const answer = await received(
      await openWebForm({ preset: 'html-form', token: 'a-token-of-the-form', form }),
    );

    expect((answer as { submission: object }).submission).not.toHaveProperty('problems');
    expect(answer).toMatchObject({
      submission: { fields: { note: expect.stringContaining('In pain?: No') } },
    });
  });

  it('leaves out what the tool has sent under no known name lately, until it sends it again or the rules change', async () => {
    const settings = { preset: 'contact-form-7', token: 'a-token-of-the-form' };
    const fields = { patient_phone: { from: 'Mobil' } };
    const opened = await openWebForm({ ...settings, fields });
    const sends = async (phone: object) => {
      const body = { patient_name: 'Ann Lee', ...phone, appointment_date: '2026-03-09' };
      const headers = { authorization: 'Bearer a-token-of-the-form' };
      await opened.intake.receive(
        intakeRequest(JSON.stringify({ ...body, appointment_time: '10:00' }), headers),
      );
    };
    const probed = async (one = opened) => Object.keys(JSON.parse((await one.intake.probe(lead)).body));

    expect(await probed()).toContain('Mobil');
    await sends({ Mobil: '01712345678' });
    for (const _ of [1, 2]) await sends({ Handy: '01712345678' });
    expect(await probed()).toContain('Mobil');
    await sends({ Handy: '01712345678' });
    expect(await probed()).not.toContain('Mobil');
    expect(await received(opened)).not.toMatchObject({ submission: { fields: lead.fields } });

    await sends({ Mobil: '01712345678' });
    expect(await probed()).toContain('Mobil');
    for (const _ of [1, 2, 3]) await sends({ Handy: '01712345678' });
    const { memory } = opened;
    const corrected = await openWebForm(
      { ...settings, fields: { patient_phone: { from: 'Handy' } } },
      { memory },
    );
    expect(await probed(corrected)).toContain('Handy');
  });

  it('does not appear among the last submissions', async () => {
    const opened = await openPreset('native');
    await received(opened);
    expect((await opened.connector.check(new AbortController().signal)).map(({ what }) => what)).toContain(
      'no submission has come yet',
    );
  });
});

it('writes every moment in any format so that the same moment is read', () => {
  const day = fc.constantFrom('DD', 'D', 'Do');
  const month = fc.constantFrom('MM', 'M', 'MMM', 'MMMM');
  const time = fc.constantFrom('HH:mm', 'H:mm', 'h:mm A', 'hh:mm a', 'HH:mm:ss');
  const moment = fc.record({ month: fc.integer({ min: 1, max: 12 }), day: fc.integer({ min: 1, max: 28 }) });
  const two = (value: number) => String(value).padStart(2, '0');
  fc.assert(
    fc.property(day, month, time, moment, fc.nat(1439), (d, m, t, on, minute) => {
      const date = `2026-${two(on.month)}-${two(on.day)}`;
      const at = `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
      const format = `${d} ${m} YYYY [at] ${t}`;
      expect(readFormat(writeFormat(date, at, format), format)).toEqual({ date, time: at });
    }),
  );
});
