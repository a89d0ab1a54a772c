// @ts-check
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, fstatSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import inspector from 'node:inspector';
import net from 'node:net';
import os from 'node:os';
import v8, { serialize } from 'node:v8';
import { WASI } from 'node:wasi';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** Writes to the daemon past the protocol. @param {Buffer} bytes */
const hang = (bytes) => {
  for (let rest = bytes; rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(3, rest));
    } catch (error) {
      if (Reflect.get(Object(error), 'code') !== 'EAGAIN') throw error;
    }
  }
  return new Promise(() => {});
};

/** A message in its frame. @param {unknown} message */
const framed = (message) => {
  const bytes = serialize(message);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(bytes.length);
  return Buffer.concat([header, bytes]);
};

/** A call of the daemon as its own code would send it. @param {number} id @param {string} name @param {unknown[]} args */
const call = (id, name, args) => framed({ kind: 'call', id, name, args });

/** Small to send, without an end to walk through. */
const bomb = () => Array.from({ length: 100 }).reduce((/** @type {unknown} */ inner) => [inner, inner], 'x');

/** @param {string} path */
const connected = (path) =>
  new Promise((resolve, reject) => {
    net
      .connect(path)
      .on('connect', () => resolve('connected'))
      .on('error', reject);
  });

/** The daemon's side of every file it left open. */
const openFiles = () =>
  Array.from({ length: 200 }, (_, fd) => fd)
    .filter((fd) => {
      try {
        return fstatSync(fd).isFile();
      } catch {
        return false;
      }
    })
    .join();

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

  /** @param {{ settings: { other_file?: string }, log: { error(text: string): void }, memory: { set(entries: object): Promise<void> } }} context */
  async create({ settings, log, memory }) {
    if (settings.other_file === 'never') await new Promise(() => {});
    const starts = String(settings.other_file);
    if (starts.endsWith('/starts') && existsSync(starts)) {
      appendFileSync(starts, '.');
      process.exit(3);
    }
    const daemon = Number(settings.other_file);
    /** @type {Record<string, () => unknown>} */
    const tricks = {
      settings: () => JSON.stringify(settings),
      crash: () => process.exit(3),
      'crash for good': () => {
        writeFileSync(starts, '');
        process.exit(3);
      },
      hang: () => {
        for (;;);
      },
      'answer nothing': () => new Promise(() => {}),
      'start a program': () => execFileSync('/bin/true').toString(),
      'start a thread': () => new Worker('', { eval: true }),
      'load an addon': () => process.dlopen({ exports: {} }, '/no/such.node'),
      'use WASI': () => new WASI({ version: 'preview1', preopens: { '/': '/' } }),
      'open an inspector': () => inspector.open(0),
      'reach the bindings': () => Reflect.get(process, 'binding')('fs'),
      environment: () => JSON.stringify(process.env),
      'read a file': () => readFileSync('/etc/hostname', 'utf8'),
      'read the daemon’s environment': () => readFileSync(`/proc/${daemon}/environ`, 'utf8'),
      'read the daemon’s memory': () => readFileSync(`/proc/${daemon}/mem`, 'utf8'),
      'read the daemon’s arguments': () => readFileSync(`/proc/${daemon}/cmdline`, 'utf8'),
      'list the daemon’s files': () => readFileSync(`/proc/${daemon}/fd/3`, 'utf8'),
      'read beside': () => readFileSync(new URL('./clinic-sync.yaml', import.meta.url), 'utf8'),
      'end the daemon': () => process.kill(daemon, 0),
      'open its inspector': () => Reflect.get(process, '_debugProcess')(daemon),
      'slow the daemon down': () => os.setPriority(daemon, 19),
      'have V8 write a file': () => v8.setFlagsFromString('--trace-turbo-path=/tmp'),
      'connect to a local socket': () => connected('/no/such.sock'),
      'listen on a local socket': () => net.createServer().listen('/tmp/clinic-sync-test.sock'),
      'open files': openFiles,
      'use the SQLite of Node': () => import(['node', 'sqlite'].join(':')),
      arguments: () => JSON.stringify([process.argv, process.execArgv]),
      'send nothing': () => hang(Buffer.from([0, 0, 0, 2, 255, 15])),
      'send noise': () => hang(Buffer.from([0, 0, 0, 4, 255, 15, 127, 127])),
      'send without an end': () => hang(Buffer.alloc(4, 255)),
      'one message of 5 MB': () => hang(call(-1, 'log', ['error', 'x'.repeat(5e6), {}])),
      'a flood of messages of 3 MB': () => {
        const message = call(-1, 'log', ['error', 'x'.repeat(3e6), {}]);
        return hang(Buffer.concat(Array.from({ length: 20 }, () => message)));
      },
      'send a bomb': () => hang(call(-1, 'log', ['error', 'x', { problem: bomb() }])),
      'send a prototype': () =>
        hang(call(-1, 'memory.set', [JSON.parse('{"__proto__": {"polluted": "yes"}}')])),
      'ask twice at once': () =>
        hang(Buffer.concat([call(-1, 'memory.get', ['a']), call(-1, 'memory.get', ['a'])])),
      'ask without an end': () => hang(Buffer.concat(Array(20_000).fill(framed({ kind: 'abort', id: -1 })))),
      'answer what nobody asked': () => {
        writeSync(3, framed({ kind: 'done', id: 4_711, value: 'x' }));
        return 'fine';
      },
      'its number': () => process.pid,
      'remember 5 MB': async () => {
        for (let note = 0; note < 5; note += 1) await memory.set({ [`note ${note}`]: 'x'.repeat(1e6) });
      },
      remember: () => memory.set({ big: 'x'.repeat(1024 * 1024) }).then(() => 'fine'),
      'remember too much': () => memory.set({ big: 'x'.repeat(1024 * 1024 + 1) }),
      log: () => {
        for (let line = 0; line < 100; line += 1)
          log.error(
            `the receiver said ${line} \u001b[31m\u202e ${['Fat', 'ima'].join('')} 01712345678 or (017) 123-45 678`,
          );
      },
      behave: () => 'fine',
    };
    return {
      events: {
        wants: () => true,
        encode: () => '',
        /** @param {{ body: string }} event */
        async deliver({ body }) {
          await tricks[body]?.();
        },
        schedule: [1_000],
        snapshot: false,
      },
      intake: {
        visitors: { tenMinutes: 1, day: 2, everybodyHour: 3 },
        framedBy: ['https://www.clinic.example'],
        authorize: () => undefined,
        /**
         * @param {{ body: Buffer }} request
         * @param {{ clinics: { name: string }[] }} view
         * @param {{ why: string }} refused
         */
        again: async ({ body }, { clinics }, { why }) => `${clinics[0]?.name}: ${body} (${why})`,
        /** Says how the trick went. @param {{ body: Buffer }} request */
        receive: async ({ body }) => {
          const trick = tricks[String(body)] ?? (() => 'thanks');
          const said = await Promise.try(trick).catch((error) => `${error.code ?? error.name}`);
          if (String(body) === 'spoof')
            return { kind: 'submission', submission: { source: 'another', fields: {} } };
          return { kind: 'ignored', message: String(said) };
        },
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
