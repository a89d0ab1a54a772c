import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { targets } from '../../src/domain/bookings/field-labels.ts';
import { FormSettings } from './form/form-settings.ts';
import { provenBy } from './presets/preset.ts';
import { presetNames, presets } from './presets/presets.ts';
import { neededFor, WebFormSettings } from './settings.ts';

const folder = 'connectors/web-form';
const readme = readFileSync(`${folder}/README.md`, 'utf8');
const pages = [`${folder}/README.md`, ...globSync(`${folder}/docs/*.md`)]
  .map((page) => readFileSync(page, 'utf8'))
  .join('\n');
/** Those that are about a form. */
const blocks = [...pages.matchAll(/```yaml\n([\s\S]*?)```/g)]
  .map(([, text = '']) => text)
  .filter((text) => text.includes('use: web-form'));
/** By level, which presets it names. */
const [proven = ''] = /\*\*How far each is proven:\*\*[\s\S]*?\n\n/.exec(readme) ?? [];
const parts = proven.replaceAll(/\s+/g, ' ').split(/;|\. /);

describe('the README', () => {
  it.each(blocks)('shows settings that work: %s', (text) => {
    const { connectors } = parse(text.replaceAll(/\$\{\w+\}/g, 'a-token-of-the-form'));
    const { use: _use, ...settings } = connectors.website;

    expect(WebFormSettings.safeParse(settings).error).toBeUndefined();
  });

  it.each(presetNames)('says in its table what %s needs, and how to set it up', (preset) => {
    const row = readme.split('\n').find((line) => line.startsWith(`| [\`${preset}\`]`)) ?? '';
    const [, link = ''] = /\]\(([^)#]+)[^)]*\)/.exec(row) ?? [];

    // The heading of the column names the setting `token`.
    for (const setting of neededFor(preset))
      expect(row).toMatch(setting === 'token' ? /token/i : `\`${setting}\``);
    expect(existsSync(`${folder}/${link}`)).toBe(true);
    expect(readFileSync(`${folder}/${link}`, 'utf8')).toContain(presets[preset].title.split(' ')[0]);
  });

  it.each(presetNames)('says how far %s is proven, as the code does', (preset) => {
    const line = parts.find((one) => one.includes(provenBy[presets[preset].proven.level]));

    expect(line).toContain(`\`${preset}\``);
  });

  it('names every target, and every setting of the form', () => {
    const names = [...targets, ...Object.keys(FormSettings.shape)];

    expect(names.filter((name) => !pages.includes(`\`${name}\``))).toEqual([]);
  });
});
