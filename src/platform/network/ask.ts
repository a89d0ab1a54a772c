import http from 'node:http';

interface LoopbackAnswer {
  ok: boolean;
  text: string;
}

/**
 * A GET that a command sends to a program on this machine. `silent`: something accepts the connection, but does not
 * answer in time. Undefined: nothing does. Not `fetch`, which takes a tenth of a second of processor time to load.
 */
export const askLoopback = (
  url: string,
  patienceMs: number,
): Promise<LoopbackAnswer | 'silent' | undefined> =>
  new Promise((resolve) => {
    const signal = AbortSignal.timeout(patienceMs);
    const failed = () => resolve(signal.aborted ? 'silent' : undefined);
    const asked = http.get(url, { signal, headers: { connection: 'close' } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.once('error', failed);
      response.once('end', () => resolve({ ok: response.statusCode === 200, text }));
    });
    asked.once('error', failed);
  });
