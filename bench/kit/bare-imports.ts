import '@fastify/busboy';
import Database from 'better-sqlite3';
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

/** The yardstick of the start: the libraries the daemon needs, an empty database and a server that answers. */
new Database(':memory:').close();
const app = fastify();
app.get('/readyz', async () => ({ ok: true }));
process.stdout.write(`"port":${new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port}\n`);
