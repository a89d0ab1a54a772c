import { wholeNumber } from '../../../src/domain/clinics/setting.ts';
import { afterCommit, before, type FaultContext, onConnection, onHeaders, onListener } from './kind.ts';

const garbage = Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 167 + 13) % 256));
const downMs = { ms: wholeNumber(0).default(0) };

const reset = ({ connection }: FaultContext) => void connection.reset();
const close = ({ connection }: FaultContext) => void connection.close();
const silent = () => undefined;

/** Connections that end, or stay open without an answer. */
export const interruptFaults = {
  refuse_connections: onListener(
    {
      description: 'Closes the port (ECONNREFUSED), for `ms` milliseconds or until the faults are cleared.',
      parameters: { ms: wholeNumber(1).optional() },
    },
    (world, { ms }) => world.refuse(ms),
  ),
  reset_on_accept: onConnection(
    'The connection is accepted and reset (RST) before anything is read.',
    (connection) => connection.reset(),
  ),
  close_on_accept: onConnection(
    'The connection is accepted and closed (FIN) before anything is read.',
    (connection) => connection.close(),
  ),
  silence_on_accept: onConnection(
    'The connection is accepted, and then nothing is ever read or sent; on https the handshake hangs.',
    () => {},
  ),
  garbage_on_accept: onConnection(
    'Random bytes right after accepting, where TLS or HTTP was expected.',
    (connection) => {
      connection.write(garbage);
      connection.close();
    },
  ),
  reset_before_reading: onConnection(
    'Reset (RST) when the first bytes arrive, before they are understood; on https that is before the handshake.',
    async (connection) => {
      await connection.firstBytes();
      connection.reset();
    },
  ),
  reset_after_headers: onHeaders('Reset (RST) once the request’s headers are read, its body not.', reset),
  silence_after_headers: onHeaders(
    'The headers are read, the body never, and nothing is answered.',
    () => {},
  ),
  reset_after_body: before('Reset (RST) once the whole request is read; nothing is done.', reset),
  close_after_body: before(
    'Closed (FIN) once the whole request is read, without an answer; nothing is done.',
    close,
  ),
  silence_before_commit: before(
    'The whole request is read, nothing is done, nothing is ever answered.',
    silent,
  ),
  reset_after_commit: afterCommit(
    'The request is carried out, then the connection is reset (RST) without an answer.',
    reset,
  ),
  close_after_commit: afterCommit(
    'The request is carried out, then the connection is closed (FIN) without an answer.',
    close,
  ),
  silence_after_commit: afterCommit('The request is carried out, and nothing is ever answered.', silent),
  restart_before_commit: before(
    {
      description:
        'The server restarts instead of carrying it out: every connection drops, ' +
        'tokens are forgotten, it listens again after `ms`.',
      parameters: downMs,
    },
    ({ world }, { ms }) => void world.restart(ms),
  ),
  restart_after_commit: afterCommit(
    {
      description:
        'The request is carried out, then the server restarts before ' +
        'answering: every connection drops, tokens are forgotten.',
      parameters: downMs,
    },
    ({ world }, _answer, { ms }) => void world.restart(ms),
  ),
};
