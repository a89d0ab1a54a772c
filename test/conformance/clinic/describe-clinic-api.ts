import { describe, expect, it } from 'vitest';
import {
  AccessToken,
  AppointmentStatusAnswer,
  DentistsAnswer,
  ErrorBody,
  Organization,
  OrganizationAnswer,
  TreatmentAnswer,
  TreatmentsAnswer,
  Website,
  WebsiteAnswer,
} from '../../../sandbox/clinic/wire.ts';
import { type ApiAnswer, apiCalls, type ClinicApiTarget } from './api-calls.ts';
import { describeBooking } from './describe-booking.ts';

export interface ClinicApiOptions extends ClinicApiTarget {
  title: string;
  /** Whether appointments may be made. Leave it out for a clinic with real patients. */
  mayBook?: boolean;
}

/** The Clinic Practice API’s specification as tests, for any server that says it is one. */
export function describeClinicApi({ title, mayBook = false, ...target }: ClinicApiOptions): void {
  const api = apiCalls(target);
  const { appKey, secretKey } = target;

  describe(title, () => {
    describe('credentials (sections 4.1, 5, 7)', () => {
      it('exchanges app key and secret key for a token with its lifetime in seconds', async () => {
        const { status, body } = await api.grant();

        expect(status).toBe(200);
        expect(AccessToken.parse(body).expires_in).toBeLessThanOrEqual(3600);
        expect(body).not.toHaveProperty('success');
      });

      it.each([
        ['no key at all', {}],
        ['no secret key', { 'x-app-key': appKey }],
        ['a wrong secret key', { 'x-app-key': appKey, 'x-app-secret-key': `${secretKey}x` }],
        ['a wrong app key', { 'x-app-key': `${appKey}x`, 'x-app-secret-key': secretKey }],
      ])('refuses a token for %s', async (_what, headers) => {
        expectAuthFailed(await api.grant(headers));
      });

      it.each([
        '/organization',
        '/website',
        '/treatments',
        '/treatments/1',
        '/dentists',
        '/appointments/status/1',
      ])('refuses %s without both headers, or with a token it never gave', async (path) => {
        const { 'x-app-key': key, authorization } = await api.credentials();

        const answers = [
          await api.call('GET', path, {}),
          await api.call('GET', path, { 'x-app-key': key }),
          await api.call('GET', path, { authorization }),
          await api.call('GET', path, { 'x-app-key': key, authorization: 'Bearer nonsense' }),
        ];

        for (const answer of answers) expectAuthFailed(answer);
      });
    });

    describe('reading (sections 2, 4.2 to 4.6)', () => {
      it('gives the organization with every field and its statistics', async () => {
        const { status, body } = await api.get('/organization');

        expect(status).toBe(200);
        expect(body).toHaveProperty('message', expect.any(String));
        const { data } = OrganizationAnswer.parse(body);
        expect(Object.keys(data)).toEqual(expect.arrayContaining(Object.keys(Organization.shape)));
        expect(data.established_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      });

      it('gives the website settings with every field, under site', async () => {
        const { status, body } = await api.get('/website');

        expect(status).toBe(200);
        const { site } = WebsiteAnswer.parse(body);
        expect(Object.keys(site)).toEqual(expect.arrayContaining(Object.keys(Website.shape)));
      });

      it('lists treatments, each under an id of its own', async () => {
        const { status, body } = await api.get('/treatments');

        expect(status).toBe(200);
        const ids = TreatmentsAnswer.parse(body).data.map((treatment) => treatment.treatment_id);
        expect(new Set(ids).size).toBe(ids.length);
      });

      it('shows a listed treatment by its id as it is in the list', async () => {
        const list = TreatmentsAnswer.parse((await api.get('/treatments')).body).data;

        for (const listed of list.slice(0, 3)) {
          const { status, body } = await api.get(`/treatments/${listed.treatment_id}`);
          expect(status).toBe(200);
          expect(TreatmentAnswer.parse(body).data).toEqual(listed);
        }
      });

      it('lists dentists, each under an id of its own', async () => {
        const { status, body } = await api.get('/dentists');

        expect(status).toBe(200);
        const ids = DentistsAnswer.parse(body).data.map((dentist) => dentist.doctor_id);
        expect(new Set(ids).size).toBe(ids.length);
      });

      it.each(['/treatments/999999999', '/appointments/status/999999999'])(
        'says that %s is not there, in one of the ways the specification leaves open',
        async (path) => {
          const { status, body } = await api.get(path);

          expect([200, 400, 404]).toContain(status);
          expect(body).toMatchObject({ success: false, message: expect.any(String) });
          expect(AppointmentStatusAnswer.safeParse(body).success).toBe(false);
        },
      );

      it('answers in JSON', async () => {
        const { contentType } = await api.get('/dentists');

        expect(contentType).toMatch(/^application\/json\b/);
      });
    });

    if (mayBook) describeBooking(api);
  });
}

function expectAuthFailed({ status, body }: ApiAnswer): void {
  expect(status).toBe(401);
  expect(ErrorBody.parse(body).error_code).toBe('auth_failed');
}
