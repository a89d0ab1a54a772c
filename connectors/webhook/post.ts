import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import got, { type Response } from 'got';
import type { Answer } from './answer.ts';
import type { Destinations } from './destination.ts';

/** Only the status counts; the rest is read so that the connection can be used again, and cut when there is too much. */
const MOST_READ_BYTES = 16 * 1024;

export interface Poster {
  /** One POST, one answer. Throws what went wrong before there was one. Follows no redirect, retries nothing. */
  post(body: string, headers: Record<string, string>, signal: AbortSignal): Promise<Answer>;
  close(): void;
}

interface PosterOptions {
  url: URL;
  timeoutMs: number;
  destinations: Destinations;
  connections: number;
}

export function createPoster({ url, timeoutMs, destinations, connections }: PosterOptions): Poster {
  const { lookup } = destinations;
  const options = { keepAlive: true, maxSockets: connections, maxFreeSockets: connections, lookup };
  const agent = { http: new HttpAgent(options), https: new HttpsAgent(options) };

  const client = got.extend({
    agent,
    followRedirect: false,
    retry: { limit: 0 },
    throwHttpErrors: false,
    // A compressed answer is counted as it came: unpacking a small bomb would fill the memory.
    decompress: false,
    timeout: { request: timeoutMs },
  });

  return {
    async post(body, headers, signal) {
      destinations.admit(url);
      const request = client.stream.post(url, { body, headers, signal });
      // Aborted at a moment when nobody reads it, it would otherwise end the whole process.
      request.on('error', () => {});
      let answer: Answer | undefined;
      request.on('response', ({ statusCode, headers: received }: Response) => {
        answer = { status: statusCode, retryAfter: received['retry-after'] };
      });

      try {
        let bytes = 0;
        for await (const chunk of request) {
          bytes += chunk.length;
          if (bytes > MOST_READ_BYTES) break;
        }
      } catch (error) {
        // Once the status was there the receiver has decided; how its answer ended does not matter.
        if (answer === undefined) throw error;
      } finally {
        // Also when all was read: until then it listens to the signal, which lives as long as the daemon.
        request.destroy();
      }
      if (answer === undefined) throw new Error('no answer');
      return answer;
    },
    close() {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}
