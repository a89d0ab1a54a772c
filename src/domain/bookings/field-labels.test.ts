import { describe, expect, it } from 'vitest';
import { type LabelKind, labelKey, labelKinds, labelsOf } from './field-labels.ts';

describe('labels of fields', () => {
  it('never stand for two fields', () => {
    const kinds = new Map<string, LabelKind[]>();
    for (const kind of labelKinds)
      for (const label of labelsOf(kind)) {
        const key = labelKey(label);
        kinds.set(key, [...(kinds.get(key) ?? []), kind]);
      }

    expect([...kinds].filter(([, named]) => named.length > 1)).toEqual([]);
  });

  it('are ranked by the order of the requested kinds', () => {
    const ranked = labelsOf('name', 'first_name');

    expect(ranked[0]).toBe('name');
    expect(ranked.at(-1)).toBe('given name');
    expect(labelsOf('first_name', 'name')[0]).toBe('first name');
  });

  it('are equal regardless of case, spaces and punctuation', () => {
    const keys = ['First Name*', 'first_name', 'firstName', '  FIRST-NAME: ', 'First Name'].map(labelKey);

    expect(new Set(keys)).toEqual(new Set(['firstname']));
  });

  it('differ by the vowel signs of scripts that have them', () => {
    expect(labelKey('নাম')).not.toBe(labelKey('নম'));
  });
});
