import { createServer } from 'node:http';

let posts = 0;

/** The smallest webhook receiver: reads each request to its end and answers 200 with the number of POSTs so far. */
const server = createServer((request, response) => {
  if (request.method === 'POST') posts += 1;
  request.resume();
  request.once('end', () => response.end(String(posts)));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`"port":${address.port}\n`);
});
