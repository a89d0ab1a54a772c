import Database from 'better-sqlite3';
import fastify from 'fastify';

/**
 * The yardstick of the intake: what anyone would write first. One durable row per request, then the answer; with a URL,
 * one call there for each.
 *
 *     node bare-intake.ts FILE [URL]
 */
const [file = '', url] = process.argv.slice(2);
const database = new Database(file);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE leads (id INTEGER PRIMARY KEY, submission_id TEXT UNIQUE, body TEXT) STRICT');
const insert = database.prepare('INSERT INTO leads (submission_id, body) VALUES (?, ?)');
const got = url === undefined ? undefined : (await import('got')).default;

const app = fastify();
app.post<{ Body: { submission_id: string } }>('/in/website', (request, reply) => {
  const { lastInsertRowid } = insert.run(request.body.submission_id, JSON.stringify(request.body));
  reply.send({ ok: true, ref: String(lastInsertRowid) });
  // A failed call ends the program: figures without the calls would mislead.
  if (url !== undefined) void got?.post(url, { json: request.body });
});
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`"port":${new URL(address).port}\n`);

process.on('SIGTERM', () => {
  database.close();
  process.exit(0);
});
