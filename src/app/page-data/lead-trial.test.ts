import { expect, it, onTestFinished } from 'vitest';
import { bookingsWorld, lead } from '../../../test/support/bookings/world.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { formToken, openWebForm } from '../../../test/support/forms/web-form.ts';
import { person, samplePeopleStore, startSampleHttp } from '../../../test/support/http/http-kit.ts';
import { openTestStore } from '../../../test/support/store/store-file.ts';
import type { Log } from '../../platform/log.ts';
import type { Parts } from '../parts.ts';
import { tryLead } from './lead-trial.ts';

async function opened(settings: Record<string, unknown> = { preset: 'native', token: formToken }) {
  const clock = fakeClock();
  const store = await openTestStore(':memory:', 'daemon', clock);
  const world = bookingsWorld({ store, clock, sources: ['website'] });
  await world.start();
  const form = await openWebForm(settings, { clock });
  const connectors = [{ settings: { name: 'website' }, connector: form.connector }];
  const parts = { connectors, bookings: world.bookings } as unknown as Pick<Parts, 'connectors' | 'bookings'>;
  const kept = async () => ({
    bookings: await store.bookings.list({}),
    changes: await store.changes.after('main', 0, 100),
    notes: [...form.memory.notes],
  });
  return { world, kept, attempt: (body: unknown, name = 'website') => tryLead(parts, name, textOf(body)) };
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

it('says what would become of a pasted lead, and keeps nothing of it', async () => {
  const { world, kept, attempt } = await opened();
  const { ref } = await world.accept();
  await world.advance(60_000);
  const before = await kept();

  const fresh = await attempt({ ...lead({ patient_phone: '01798765432' }), colour: 'green' });
  const encoded = await attempt(
    new URLSearchParams({ ...(lead({ patient_phone: '01798765432' }) as Record<string, string>) }).toString(),
  );
  const incomplete = await attempt({ patient_name: 'Karim' });
  const beside = await attempt({ ...lead(), patient_name: 'Someone Else' });
  const again = await attempt(lead());

  expect(fresh).toMatchObject({ isLead: true, state: 'queued', faults: [], ref: null });
  expect(encoded).toMatchObject({ isLead: true, state: 'queued' });
  expect(incomplete).toMatchObject({ isLead: true, state: 'held', reason: 'missing_field' });
  expect(Object(incomplete).faults.map(({ field }: { field: string }) => field)).toContain('patient_phone');
  expect(beside).toMatchObject({ isLead: true, state: 'held', reason: 'duplicate_suspect', ref });
  expect(again).toMatchObject({ isLead: true, ref });
  expect(await attempt(lead(), 'other')).toBeUndefined();
  expect(await kept()).toEqual(before);
});

it('says that an event of a form tool is no lead, and that nothing can be read', async () => {
  const { attempt } = await opened({ preset: 'typeform', secret: 'a-secret-of-sixteen-letters' });

  expect(await attempt('')).toMatchObject({ isLead: false });
  expect(await attempt({ event_type: 'form_response', form_response: { answers: [] } })).toMatchObject({
    state: 'held',
  });
});

it('shows it on the page of the form, to the desk only, and logs nothing of the patient', async () => {
  const { attempt } = await opened();
  const lines: string[] = [];
  const note = (text: string, fields?: object) => void lines.push(`${text} ${JSON.stringify(fields)}`);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const people = samplePeopleStore();
  const http = await startSampleHttp({
    ...{ sessions: people.sessions, audit: people.audit },
    people: [person('Vik', 'viewer'), person('Dee', 'desk')],
    tryLead: async (name, body) => attempt(body, name),
    log,
  });
  onTestFinished(() => http.stop());
  const post = (name: string, accept: string, connector = 'website') =>
    fetch(`${http.url}/connectors/${connector}/try`, {
      method: 'POST',
      headers: { authorization: `Bearer token-of-${name}-0123456789`, accept },
      body: new URLSearchParams({ body: JSON.stringify({ patient_name: 'Zerafina <b>' }) }),
    });
  const page = await (await post('Dee', 'text/html')).text();

  expect(page).toContain('What would this lead become?');
  expect(page).toMatch(/<dt>Patient<\/dt>\s*<dd><bdi>Zerafina &lt;b&gt;<\/bdi>/);
  expect(page).toContain('Something the clinic needs is missing');
  expect(await (await post('Dee', 'application/json')).json()).toMatchObject({ ok: true, state: 'held' });
  expect((await post('Vik', 'text/html')).status).toBe(403);
  expect((await post('Dee', 'text/html', 'crm2')).status).toBe(404);
  expect(lines.join() + JSON.stringify(people)).not.toContain('Zerafina');
  expect(people.entries).toMatchObject([
    { actor: 'Dee', action: 'lead.try', subject: 'website' },
    { actor: 'Dee', action: 'lead.try' },
    { actor: 'Vik', action: 'denied' },
  ]);
});
