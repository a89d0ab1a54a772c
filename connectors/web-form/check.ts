import type { CheckLine } from '../../src/connector.ts';
import { presets } from './presets/presets.ts';
import type { WebFormSettings } from './settings.ts';

/** What a person has to enter at the tool, and what is missing. Shows no secret. */
export function checkLines(name: string, settings: WebFormSettings): CheckLine[] {
  const { preset, origins, fields } = settings;
  const { title, proofs } = presets[preset];
  if (preset === 'html-form') {
    const from = origins.length > 0 ? `, and forms of ${origins.join(', ')}` : '';
    return [
      { level: 'ok', what: `the booking form is at /in/${name}/form; it may be sent from there${from}` },
    ];
  }
  const usable = proofs.filter(({ needs }) => settings[needs] !== undefined);
  const lines: CheckLine[] = [
    {
      level: 'ok',
      what: `${title} sends to /in/${name}, with ${usable.map(({ carries }) => carries).join(' or ')}`,
    },
  ];
  if (preset === 'gravity-forms' && Object.keys(fields).length === 0)
    lines.push({
      level: 'warn',
      what: 'Gravity Forms names its fields by numbers, and no field is mapped',
      hint: 'Say under `fields:` which number is what, or give the fields names in the Webhooks add-on.',
    });
  return lines;
}
