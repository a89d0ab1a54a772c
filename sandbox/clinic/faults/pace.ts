import { wholeNumber } from '../../../src/domain/clinics/setting.ts';
import { htmlAnswer } from '../answer.ts';
import { afterCommit, before, type FaultContext } from './kind.ts';
import { half, headOf } from './raw.ts';

const ms = (value: number) => wholeNumber(0).default(value);
const size = wholeNumber(1).default(16);

/** Sends piece by piece; false if the client left before the end. */
async function drip(
  { connection, world }: FaultContext,
  bytes: Buffer,
  piece: number,
  pauseMs: number,
): Promise<boolean> {
  for (let at = 0; at < bytes.length; at += piece) {
    connection.write(bytes.subarray(at, at + piece));
    const gone = await world.clock.sleep(pauseMs, connection.ended).then(
      () => false,
      () => true,
    );
    if (gone) return false;
  }
  return true;
}

/** Correct answers that are slow. */
export const paceFaults = {
  late_answer: afterCommit(
    {
      description: 'The request is carried out and answered properly, but only after `ms`.',
      parameters: { ms: ms(1_000) },
    },
    async ({ world, connection }, answer, { ms }) => {
      await world.clock.sleep(ms, connection.ended).catch(() => {});
      return answer;
    },
  ),
  late_commit: before(
    {
      description: 'Nothing happens for `ms`, then 504; nothing is carried out.',
      parameters: { ms: ms(1_000) },
    },
    async ({ world, connection }, { ms }) => {
      await world.clock.sleep(ms, connection.ended).catch(() => {});
      return htmlAnswer(504, '504 Gateway Time-out');
    },
  ),
  slow_bytes: afterCommit(
    {
      description: 'The whole answer arrives in pieces of `size` bytes, `ms` apart.',
      parameters: { ms: ms(100), size },
    },
    async (context, answer, given) => {
      const whole = Buffer.concat([Buffer.from(headOf(answer)), answer.body]);
      if (await drip(context, whole, given.size, given.ms)) context.connection.close();
      return undefined;
    },
  ),
  slow_headers: afterCommit(
    {
      description: 'Header lines without end, `ms` apart; the answer never begins.',
      parameters: { ms: ms(100) },
    },
    async (context, _answer, given) => {
      context.connection.write('HTTP/1.1 200 OK\r\n');
      const padding = Buffer.from('x-padding: 0\r\n'.repeat(10_000));
      await drip(context, padding, 'x-padding: 0\r\n'.length, given.ms);
      return undefined;
    },
  ),
  silence_after_head: afterCommit(
    'The answer’s head arrives, its body never, and the connection stays open.',
    ({ connection }, answer) => {
      connection.write(headOf(answer));
      return undefined;
    },
  ),
  silence_mid_body: afterCommit(
    'The head and half the body arrive, the rest never, and the connection stays open.',
    ({ connection }, answer) => {
      connection.write(headOf(answer));
      connection.write(half(answer.body));
      return undefined;
    },
  ),
};
