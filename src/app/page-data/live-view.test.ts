import { expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { intakeRequest, mirrorOf } from '../../../test/support/forms/web-form.ts';
import type { HttpIntake, MirrorView } from '../../connector.ts';
import { withLiveView } from './live-view.ts';

/** An intake whose page is the name of the first clinic. */
const naming: HttpIntake = {
  authorize: () => undefined,
  receive: async () => ({ kind: 'ignored', message: '' }),
  page: async (_request, { clinics }) => ({ status: 200, html: clinics[0]?.name ?? 'no name yet' }),
};

const named = (name: string | null): MirrorView => {
  const mirror = mirrorOf();
  return { ...mirror, clinics: mirror.clinics.map((one) => ({ ...one, name })) };
};

it('shows a clinic by the name it has now, not by the one it had when the daemon started', async () => {
  const clock = fakeClock();
  let name: string | null = null;
  const intake = withLiveView(naming, async () => named(name), clock);
  const page = async () => (await intake.page?.(intakeRequest(''), mirrorOf()))?.html;

  const first = await page();
  name = 'Lakeside Dental';
  await clock.advance(6_000);

  expect([first, await page()]).toEqual(['no name yet', 'Lakeside Dental']);
});

it('reads the clinics once for a burst of requests, and again at once after a failure', async () => {
  const clock = fakeClock();
  let reads = 0;
  const intake = withLiveView(
    naming,
    async () => {
      reads += 1;
      if (reads === 1) throw new Error('the database is away');
      return named('Lakeside Dental');
    },
    clock,
  );
  const receive = () => intake.receive(intakeRequest(''));

  await expect(receive()).rejects.toThrow('away');
  await Promise.all([receive(), receive(), receive()]);

  expect(reads).toBe(2);
});

it('hands on what visitors ran into before the connector was asked', () => {
  const told: string[] = [];
  const trouble: HttpIntake['trouble'] = ({ cause }) => void told.push(cause);

  withLiveView({ ...naming, trouble }, async () => named(null), fakeClock()).trouble?.({
    cause: 'limit',
    sentence: '',
    action: '',
  });

  expect(told).toEqual(['limit']);
});
