import { expect, it, onTestFinished } from 'vitest';
import {
  admin,
  adminToken,
  person,
  sampleAdmin,
  samplePeopleStore,
  startSampleHttp,
} from '../../test/support/http/http-kit.ts';
import type { AdminOperations } from '../http/admin.ts';
import { openApi } from '../http/api/openapi.ts';
import { operations } from './operations.ts';

type Context = Parameters<(typeof operations)['/admin/clinics/:clinic/sync']['run']>[0];

it('makes a route, its role, its audit row and its description of one entry', async () => {
  const rung: unknown[] = [];
  const entry: AdminOperations[string] = {
    summary: 'Ring the clinic',
    async run(request) {
      rung.push([request.subject, request.fields.why, request.by]);
      return { ok: true, message: 'It rang.' };
    },
  };
  const more = {
    '/admin/bookings/:ref/ring': { ...entry, many: 'Ring many' },
    '/admin/clinics/:clinic/ring': entry,
  };
  const everything = { ...sampleAdmin().admin, ...more };
  const kept = samplePeopleStore();
  const people = [admin, person('Rima', 'desk')];
  const http = await startSampleHttp({ ...kept, people, admin: everything });
  onTestFinished(() => http.stop());
  const post = (path: string, token: string, fields: object) =>
    fetch(`${http.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
  const desk = 'token-of-Rima-0123456789';

  const answers = [
    await post('/admin/clinics/main/ring', adminToken, { why: 'it is late' }),
    await post('/admin/clinics/main/ring', desk, {}),
    await post('/admin/bookings/cs-7k3q9f/ring', desk, { why: 'lunch' }),
    await post('/admin/bookings/many/ring', desk, { picks: 'CS-7K3Q9F', why: 'dinner' }),
  ];
  const { paths } = openApi(everything) as { paths: Record<string, { post: object }> };

  expect(answers.map(({ status }) => status)).toEqual([200, 403, 200, 200]);
  expect(rung).toEqual([
    ['main', 'it is late', 'admin'],
    ['CS-7K3Q9F', 'lunch', 'Rima'],
    ['CS-7K3Q9F', 'dinner', 'Rima'],
  ]);
  expect(
    kept.entries.filter(({ result }) => result === 'ok').map(({ action, subject }) => [action, subject]),
  ).toEqual([
    ['clinic.ring', 'main'],
    ['booking.ring', 'CS-7K3Q9F'],
    ['booking.ring', 'CS-7K3Q9F'],
  ]);
  expect(paths['/admin/clinics/{clinic}/ring']?.post).toMatchObject({
    summary: 'Ring the clinic',
    description: 'Least role: admin.',
  });
  expect(paths['/admin/bookings/{ref}/ring']?.post).toMatchObject({ description: 'Least role: desk.' });
  expect(paths['/admin/bookings/many/ring']?.post).toMatchObject({ summary: 'Ring many' });
});

it('refuses to read what is no resource of the clinic', async () => {
  const synced: unknown[] = [];
  const context = {
    config: { clinics: [{ key: 'main' }] },
    syncNow: async (...asked: unknown[]) => void synced.push(asked),
  } as unknown as Context;
  const sync = (resource: string) =>
    operations['/admin/clinics/:clinic/sync'].run(context, {
      ...{ subject: 'main', by: 'Rima', asked: {} },
      fields: { resource },
    });

  await expect(sync('patients')).rejects.toMatchObject({ status: 400, message: 'There is no such resource' });
  await sync('treatments');
  await sync('');

  expect(synced).toEqual([
    ['main', 'treatments'],
    ['main', undefined],
  ]);
});
