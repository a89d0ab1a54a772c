import { describe, expect, it } from 'vitest';
import { mapChoice } from './mapping.ts';

const dentists = [
  { id: 1, name: 'Dr. O’Neil', removed: false },
  { id: 2, name: 'Dr. Sara  Khan', removed: false },
  { id: 3, name: 'dr. sara khan', removed: false },
  { id: 4, name: 'Dr. Gone', removed: true },
];
const ask = (name: string | null, id: number | null = null) => mapChoice('doctor', { id, name }, dentists);
const message = (mapped: ReturnType<typeof ask>) => (mapped.kind === 'fault' ? mapped.fault.message : '');

describe('mapping names to the clinic’s own', () => {
  it('accepts a name regardless of case, spaces and Unicode form', () => {
    expect(ask(' DR.  O’NEIL ')).toEqual({ kind: 'id', id: 1 });
    expect(ask('Ｄｒ. O’Neil')).toEqual({ kind: 'id', id: 1 });
  });

  it.each([
    ['Dr. O’Neil', `dr. o'neil`],
    ['Dr. O\u2019Neil', 'Dr. O\u02bcNeil'],
    ['Root canal – molar', 'root canal - molar'],
    ['Dr. Müßig', 'DR. MUSSIG'],
    ['Dr. José Łuczak-Ødegård', 'dr. jose luczak\u2010odegard'],
    ['Dr. İpek Işık', 'dr. ipek isik'],
  ])('takes %s for %s', (name, typed) => {
    const one = [{ id: 7, name, removed: false }, ...dentists.filter(({ id }) => id > 1)];

    expect(mapChoice('doctor', { id: null, name: typed }, one)).toEqual({ kind: 'id', id: 7 });
    expect(mapChoice('doctor', { id: 7, name: typed }, one)).toEqual({ kind: 'id', id: 7 });
  });

  it('holds a name that, accents ignored, several have or someone who left had', () => {
    const jose = { id: 7, name: 'Dr. José', removed: false };
    const plain = { id: 8, name: 'Dr. Jose', removed: false };
    const asked = (typed: string, ...others: (typeof jose)[]) =>
      mapChoice('doctor', { id: null, name: typed }, [jose, ...others]);

    expect(asked('Dr. Jose', plain)).toEqual({ kind: 'id', id: 8 });
    expect(asked('Dr. José', plain)).toEqual({ kind: 'id', id: 7 });
    expect(message(asked('Dr. Josè', plain))).toContain('Dr. José (7), Dr. Jose (8)');
    expect(message(asked('Dr. Josè', { ...plain, removed: true }))).toContain('have or had');
  });

  it('keeps marks that are letters of their script', () => {
    const names = ['কা', 'কি'].map((name, id) => ({ id: id + 1, name, removed: false }));

    expect(mapChoice('doctor', { id: null, name: 'কি' }, names)).toEqual({ kind: 'id', id: 2 });
    expect(mapChoice('doctor', { id: null, name: 'ক' }, names)).toMatchObject({ kind: 'fault' });
  });

  it('refuses a name that is merely similar', () => {
    expect(message(ask('Dr. ONeil'))).toContain('Dr. O’Neil (1)');
  });

  it('names the candidates when several have the name, and repeats nothing a visitor typed', () => {
    expect(message(ask('DR. SARA KHAN'))).toContain('Dr. Sara  Khan (2), dr. sara khan (3)');
    expect(message(ask('Nobody Example'))).not.toContain('Nobody');
  });

  it('holds a dentist who has left, by name and by number', () => {
    expect(message(ask('dr. gone'))).toContain('no longer');
    expect(message(ask(null, 4))).toContain('no longer');
  });

  it('holds a number that the clinic does not have, and one that contradicts the name', () => {
    expect(message(ask(null, 99))).toContain('99');
    expect(message(ask('Dr. O’Neil', 2))).toContain('do not match');
    expect(ask('dr. o’neil', 1)).toEqual({ kind: 'id', id: 1 });
  });

  it('waits for the mirror with a name, but not with a number', () => {
    expect(mapChoice('doctor', { id: null, name: 'Dr. O’Neil' }, undefined)).toEqual({ kind: 'wait' });
    expect(mapChoice('doctor', { id: 1, name: null }, undefined)).toEqual({ kind: 'id', id: 1 });
    expect(mapChoice('doctor', { id: null, name: null }, undefined)).toEqual({ kind: 'none' });
  });

  it('reports when the clinic has none at all', () => {
    const mapped = mapChoice('treatment', { id: null, name: 'Scaling' }, []);

    expect(message(mapped)).toContain('no treatments at all');
  });
});
