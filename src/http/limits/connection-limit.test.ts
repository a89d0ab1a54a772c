import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { limitConnections } from './connection-limit.ts';

it('parses no more of a thousand pipelined requests than may wait for answers', async () => {
  let answered = 0;
  let seen = 0;
  const server = createServer((_request, response) => {
    answered += 1;
    setImmediate(() => response.end('x'));
  });
  limitConnections(server, { connections: 10, connectionsPerAddress: 10, pipelined: 4 }, () => false);
  server.on('request', () => {
    seen += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));

  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_000));
  socket.resume();
  await closed;

  expect(answered).toBe(4);
  expect(seen).toBeLessThanOrEqual(6);
});

it('replaces an old connection that awaits its answer rather than one that has just been opened', async () => {
  const server = createServer(() => {});
  limitConnections(server, { connections: 3, connectionsPerAddress: 3, pipelined: 4 }, () => true);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const closed: string[] = [];
  const open = async (name: string, text: string) => {
    const heard = new Promise((resolve) => server.once(text === '' ? 'connection' : 'request', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {}).once('close', () => closed.push(name));
    socket.write(text);
    await heard;
    return socket;
  };
  const waiting = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n';
  const oldest = await open('oldest', waiting);
  await open('old', waiting);
  await open('new', '');
  const gone = new Promise((resolve) => oldest.once('close', resolve));

  await open('newest', '');
  await gone;

  expect(closed).toEqual(['oldest']);
});
