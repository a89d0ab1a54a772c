import { createServer } from 'node:http';

/** The smallest webhook receiver: reads each POST to its end and answers 200. */
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.end('ok'));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`"port":${address.port}\n`);
});
