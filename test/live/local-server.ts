import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';

/** A port on loopback that was free a moment ago. */
export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Tries until it works, a minute long. */
export async function until<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === 120) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

export async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode === null && child.kill()) await gone;
}
