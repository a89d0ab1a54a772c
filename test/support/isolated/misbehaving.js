// @ts-check
import { execFileSync } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';

/** Writes to the daemon past the protocol. @param {Buffer} bytes */
const hang = (bytes) => {
  writeSync(3, bytes);
  return new Promise(() => {});
};

/** A connector that does on demand what an isolated one must not be able to do. */
export const connector = {
  name: 'misbehaving',
  summary: 'Does what it is told to.',
  settings: z
    .strictObject({
      other_file: z.string().describe('A file that it may read.'),
      app_key: z.string().min(8).describe('A secret.'),
    })
    .partial(),
  secrets: ['app_key'],

  /** @param {{ settings: object, log: { error(text: string): void } }} context */
  async create({ settings, log }) {
    const tricks = {
      settings: () => JSON.stringify(settings),
      crash: () => process.exit(3),
      hang: () => {
        for (;;);
      },
      spawn: () => execFileSync('/bin/true').toString(),
      environment: () => JSON.stringify(process.env),
      read: () => readFileSync('/etc/hostname', 'utf8'),
      'read beside': () => readFileSync(new URL('./clinic-sync.yaml', import.meta.url), 'utf8'),
      'end the daemon': () => process.kill(process.ppid ?? 1, 0),
      'open its inspector': () => Reflect.get(process, '_debugProcess')(process.ppid ?? 1),
      sqlite: () => import(['node', 'sqlite'].join(':')),
      arguments: () => JSON.stringify([process.argv, process.execArgv]),
      'send nothing': () => hang(Buffer.from([0, 0, 0, 2, 255, 15])),
      'send noise': () => hang(Buffer.from([0, 0, 0, 4, 255, 15, 127, 127])),
      'send without an end': () => hang(Buffer.alloc(4, 255)),
      log: () => {
        for (let line = 0; line < 100; line += 1) log.error(`line ${line} \u001b[31m\u202e`);
      },
      behave: () => 'fine',
    };
    return {
      events: {
        wants: () => true,
        encode: () => '',
        /** @param {{ body: string }} event */
        async deliver({ body }) {
          const said = await tricks[/** @type {keyof typeof tricks} */ (body)]();
          if (body !== 'behave') throw Object.assign(new Error('said'), { code: said });
        },
        schedule: [1_000],
        snapshot: false,
      },
      intake: {
        visitors: { tenMinutes: 1, day: 2, everybodyHour: 3 },
        framedBy: ['https://www.clinic.example'],
        authorize: () => undefined,
        receive: async () => ({ kind: 'ignored', message: 'thanks' }),
      },
      state: {
        everyMs: 1_000,
        /** @param {{ rows: (table: string, clinic: string) => Promise<object[]> }} view */
        converge: async (view) => ({
          written: { dentists: (await view.rows('dentists', 'main')).length },
          problems: [],
        }),
      },
      check: async () => [{ level: 'ok', what: 'fine' }],
      async stop() {},
    };
  },
};
