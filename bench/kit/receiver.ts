import { createServer } from 'node:http';

/** Takes every POST and answers 200 when it has the whole body: the smallest receiver of webhooks. */
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.end('ok'));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`"port":${address.port}\n`);
});
