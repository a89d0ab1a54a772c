// The yardstick of the start: imports the daemon's libraries and serves one route. Plain JavaScript, like dist.
import '@fastify/busboy';
import 'better-sqlite3';
import 'csv-parse';
import 'csv-stringify/sync';
import fastify from 'fastify';
import 'got';
import 'kysely';
import 'libphonenumber-js';
import 'node-cron';
import 'pino';
import 'prom-client';
import 'temporal-polyfill';
import 'yaml';
import 'yargs';
import 'zod';

const app = fastify();
app.get('/readyz', async () => ({ ok: true }));
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`"port":${new URL(address).port}\n`);
