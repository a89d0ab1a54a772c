import { connect, type Socket } from 'node:net';
import { lead } from './lead.ts';

/**
 * Sends leads as fast as they are answered, over a number of keep-alive connections, and reports on stdout. A separate
 * program on bare sockets, so that it takes little from the measured one.
 *
 *     node load.ts PORT CONNECTIONS SECONDS SERIES [CLINICS]
 */
const [port = 0, connections = 1, seconds = 1, series = 0, clinics = 1] = process.argv.slice(2).map(Number);

const latencies: number[] = [];
let refused = 0;
let sent = 0;
let until = Number.POSITIVE_INFINITY;

const request = (): Buffer => {
  sent += 1;
  const body = lead(series, sent, clinics);
  // As behind a reverse proxy: every visitor has another address, so none meets the limit per address.
  const visitor = `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
  return Buffer.from(
    `POST /in/website HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer bench-token-bench-token\r\nX-Forwarded-For: ${visitor}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};

/** The end of the first answer in the text; undefined while it is incomplete. */
function endOfAnswer(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length < end ? undefined : end;
}

function keepSending(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    let began = 0;
    const next = () => {
      began = performance.now();
      if (began >= until) return void socket.end();
      socket.write(request());
    };
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      const end = endOfAnswer(received);
      if (end === undefined) return;
      if (received.startsWith('HTTP/1.1 200')) latencies.push(performance.now() - began);
      else refused += 1;
      received = received.slice(end);
      next();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve());
    socket.once('connect', next);
  });
}

const began = performance.now();
until = began + seconds * 1_000;
await Promise.all(Array.from({ length: connections }, () => keepSending(connect(port, '127.0.0.1'))));
const took = (performance.now() - began) / 1_000;

latencies.sort((a, b) => a - b);
const quantile = (q: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(q * latencies.length))] ?? 0;
process.stdout.write(
  `${JSON.stringify({ perSecond: latencies.length / took, accepted: latencies.length, p50: quantile(0.5), p99: quantile(0.99), refused })}\n`,
);
