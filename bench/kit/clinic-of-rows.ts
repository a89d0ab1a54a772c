import { createServer } from 'node:http';

/**
 * A clinic whose list of treatments is as long as asked for. GET /version/N makes every hundredth fee another one, GET
 * /stamp/N changes nothing but the time beside the list, GET /order/N only the order of the keys. GET /reads tells how
 * often the list was read.
 *
 *     node clinic-of-rows.ts ROWS
 */
const rows = Number(process.argv[2]);

const treatment = (number: number, version: number) => ({
  treatment_id: number,
  treatment_name: `Treatment number ${number}`,
  description: `What is done in treatment ${number}, in a sentence as long as such sentences are.`,
  base_fee: `${1000 + (number % 500) + (number % 100 === 0 ? version : 0)}.00`,
  duration_minutes: 15 + (number % 8) * 5,
  image_url: `https://media.clinic.example/treatments/${number}.webp`,
});
const inOrder = (row: object, order: number): object =>
  order % 2 === 0 ? row : Object.fromEntries(Object.entries(row).reverse());
const now = { version: 0, stamp: 0, order: 0 };
const answer = () =>
  Buffer.from(
    JSON.stringify({
      success: true,
      generated_at: now.stamp,
      data: Array.from({ length: rows }, (_, index) => inOrder(treatment(index + 1, now.version), now.order)),
    }),
  );

let body = answer();
let reads = 0;
const server = createServer(({ url = '' }, response) => {
  const [, what, number] = /^\/(version|stamp|order)\/(\d+)$/.exec(url) ?? [];
  if (what !== undefined) {
    now[what as keyof typeof now] = Number(number);
    body = answer();
  }
  response.setHeader('content-type', 'application/json');
  if (url === '/reads') return void response.end(String(reads));
  if (url.endsWith('/treatments')) {
    reads += 1;
    response.end(body);
  } else response.end(JSON.stringify({ access_token: 'token', expires_in: 3600 }));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`"port":${address.port}\n`);
});
