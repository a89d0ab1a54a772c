/** @module-tag thorough */
import { expect, it } from 'vitest';
import { startStory } from '../support/daemon/clinic-story.ts';
import { until } from '../support/until.ts';

it('says everywhere that Google refuses a tab, as the Sync tab does, and nowhere once it is taken', async () => {
  await using story = await startStory({ name: 'refused-tab', sheet: true, here: true });
  const { control } = story.sheet ?? {};
  if (control === undefined) throw new Error('the story has no spreadsheet');
  await story.start();
  const clinic = story.sandbox.control;
  const charge = (base_fee: string) =>
    clinic.editTreatment(clinic.treatments()[0]?.treatment_id ?? 0, { base_fee });
  const sync = () =>
    control
      .tab('Sync')
      .rows.map((row) => row.map((cell) => cell?.value?.stringValue ?? '').join('\t'))
      .join('\n');
  const connector = async () =>
    (await story.status()).connectors.find(({ connector: name }) => name === 'accounts');
  const events = () =>
    story.hook.events.filter(({ data }) => data.subject === 'accounts').map(({ type }) => type);
  const shown = async () => {
    const headers = { authorization: `Bearer ${story.adminToken}`, accept: 'text/html' };
    const get = async (path: string, language = 'en') =>
      (await story.ask(path, { headers: { ...headers, 'accept-language': language } })).text.replaceAll(
        /<[^>]+>/g,
        '',
      );
    const [status, check, doctor] = await Promise.all([
      story.run(['status']),
      story.run(['connectors', 'check', 'accounts']),
      story.run(['connectors', 'list']),
    ]);
    return {
      exits: [status.code, check.code],
      said: [status.stdout, check.stdout, doctor.stdout, await get('/'), await get('/connectors/accounts')],
      german: [await get('/', 'de'), await get('/connectors/accounts', 'de')],
      arabic: [await get('/', 'ar'), await get('/connectors/accounts', 'ar')],
      report: await story.status(),
      up: /^clinic_sync_connector_up\{connector="accounts",use="google-sheets"\} (\d)$/m.exec(
        await get('/metrics'),
      )?.[1],
    };
  };
  await until(
    'the tabs are made',
    () => sync().includes('Treatments') && control.tab('Bookings').rowCount > 0,
  );
  const good = async () => (await story.status()).health === 'ok';
  await until('all is good', good, { found: connector });
  const before = await shown();

  control.refuseTab(control.tab('Treatments').sheetId, 'Invalid requests[0].updateCells: No.');
  charge('9.00');
  await until('Sync asks a person', () => /Treatments: not up to date.*Needs you/.test(sync()), {
    found: sync,
  });
  await until('the connector is in trouble', async () => (await connector())?.state === 'failing', {
    found: connector,
  });
  await until('it is told', () => events().includes('needs_you.opened'), { found: events });
  const refused = await shown();

  control.refuseTab(control.tab('Treatments').sheetId, undefined);
  charge('10.00');
  await until('Sync asks no one', () => !sync().includes('not up to date'), { found: sync });
  await until('all is good again', good, { found: connector });
  const after = await shown();

  expect(before).toMatchObject({ exits: [0, 0], up: '1' });
  expect(refused).toMatchObject({
    exits: [1, 1],
    up: '0',
    report: { health: 'trouble', needs: [{ kind: 'connector', subject: 'accounts' }] },
  });
  expect(refused.report.sentence).toMatch(/^Trouble.*accounts: Treatments: not up to date/);
  for (const text of refused.said) expect(text).toContain('Treatments: not up to date');
  for (const text of refused.german)
    expect(text).toContain('Treatments: nicht aktuell. Google lehnt ab, was clinic-sync dort schreibt');
  for (const text of refused.arabic) expect(text).toMatch(/Treatments\u200e: غير/);
  for (const text of [...refused.german, ...refused.arabic]) expect(text).not.toContain('not up to date');
  expect(after).toMatchObject({ exits: [0, 0], up: '1', report: { needs: [] } });
  // Whether the trouble lasted long enough to be reported afterwards depends on the machine.
  for (const text of [...before.said, ...after.said])
    expect(text.replace(/^Recovered .*$/m, '')).not.toContain('not up to date');
}, 300_000);
