import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineConnector } from '../connector.ts';
import { fromText, type LoadOptions } from './load.ts';

const bell = defineConnector({
  name: 'bell',
  summary: 'Rings.',
  settings: z.strictObject({ tone: z.enum(['high', 'low']) }),
  secrets: [],
  create: async () => ({ check: async () => [], stop: async () => {} }),
});

const options = (environment: NodeJS.ProcessEnv = {}): LoadOptions => ({
  environment,
  findKind: async () => bell,
  knownKinds: ['bell'],
});

const good = `version: 1
clinics:
  main:
    base_url: https://clinic.example/api/v1
    app_key: \${KEY}
    secret_key: secret
    timezone: Asia/Dhaka
connectors:
  door: { use: bell, tone: high }
`;

describe('faults in a configuration', () => {
  it('reports an indentation error once, however many errors it causes', async () => {
    const text = good.replace('    app_key:', '   app_key:').replace('door: {', 'door: { [');

    const loaded = await fromText(text, 'test.yaml', options({ KEY: 'k' }));

    expect.assert(!loaded.ok);
    expect(loaded.faults.map(({ line }) => line)).toEqual([5, 9]);
  });

  it('refuses two connectors of one kind in one folder, unless they serve different clinics', async () => {
    const box = {
      ...bell,
      settings: z.strictObject({ directory: z.string(), inbox: z.string().optional() }),
    };
    const text = `version: 1
clinics:
  a: { base_url: https://a.example/api/v1, app_key: k, secret_key: s, timezone: UTC }
  b: { base_url: https://b.example/api/v1, app_key: k, secret_key: s, timezone: UTC }
connectors:
  one: { use: box, directory: ./out, inbox: /in, clinics: [a] }
  two: { use: box, directory: out/, clinics: [b] }
  three: { use: box, directory: ./out/x/.., inbox: /in/ }
  four: { use: box, directory: out, clinics: [b] }
`;

    const loaded = await fromText(text, 'test.yaml', { ...options(), findKind: async () => box as never });

    expect.assert(!loaded.ok);
    expect(loaded.faults.map(({ line, path, message }) => `${line} ${path} ${message}`)).toEqual([
      '8 connectors.three.directory is also the directory of one',
      '8 connectors.three.inbox is also the inbox of one',
      '9 connectors.four.directory is also the directory of two',
    ]);
  });

  it('names a connector that is configured twice', async () => {
    const loaded = await fromText(`${good}  door: { use: bell, tone: low }\n`, 'test.yaml', options());

    expect.assert(!loaded.ok);
    expect(loaded.faults).toMatchObject([{ line: 10, message: 'has door twice' }]);
  });

  it('names the time zone that was probably meant', async () => {
    const zones = ['Asia/Daka', 'europe/londn', 'Dhaka', 'Mars/Olympus'];

    const said = await Promise.all(
      zones.map(async (zone) => {
        const loaded = await fromText(good.replace('Asia/Dhaka', zone), 'test.yaml', options({ KEY: 'k' }));
        return loaded.ok ? [] : loaded.faults.map(({ message }) => message);
      }),
    );

    expect(said).toEqual([
      ['is not an IANA time zone; did you mean Asia/Dhaka?'],
      ['is not an IANA time zone; did you mean Europe/London?'],
      ['is not an IANA time zone; did you mean Asia/Dhaka?'],
      ['is not an IANA time zone such as Europe/London'],
    ]);
  });

  it.each([
    ['61 * * * *', 'the minute cannot be 61'],
    ['* * * *', 'expected 5 or 6 fields but got 4'],
    ['0 0 * * 9', 'the weekday cannot be 9'],
  ])('says which field of the cron expression %s is wrong', async (cron, problem) => {
    const text = good.replace('connectors:', `    schedule: { website: "${cron}" }\nconnectors:`);

    const loaded = await fromText(text, 'test.yaml', options({ KEY: 'k' }));

    expect.assert(!loaded.ok);
    expect(loaded.faults).toMatchObject([
      { path: 'clinics.main.schedule.website', message: expect.stringContaining(problem) },
    ]);
  });

  it('never repeats a secret joined to its name by a missing blank', async () => {
    const text = `${good.replace('tone: high', 'tone: high, key:hunter2')}htp:hunter2: {}\n`;

    const loaded = await fromText(text, 'test.yaml', options({ KEY: 'hunter2' }));

    expect.assert(!loaded.ok);
    expect(JSON.stringify(loaded.faults)).not.toContain('hunter2');
    expect(loaded.faults).toContainEqual(
      expect.objectContaining({
        path: 'connectors.door.key:…',
        message: 'is a name and its value in one',
        hint: 'Put a blank after the colon.',
      }),
    );
  });

  it('lists faults in the order of the file, with a remedy for a name with nothing below it', async () => {
    const text = 'version: 2\nclinics:\nbase_url: x\nstore: { sqlite: "" }\nhtp: {}\n';

    const loaded = await fromText(text, 'test.yaml', options());

    expect.assert(!loaded.ok);
    expect(loaded.faults.map(({ line, path, message }) => `${line} ${path} ${message}`)).toEqual([
      '1 version must be 1',
      '2 clinics must be a mapping',
      '3 base_url is not a known setting',
      '4 store.sqlite must not be empty',
      '5 htp is not a known setting',
    ]);
    expect(loaded.faults[1]?.hint).toContain('indent');
  });
});
