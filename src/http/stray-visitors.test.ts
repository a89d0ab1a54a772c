import { expect, it, onTestFinished } from 'vitest';
import { sampleIntake, startSampleHttp } from '../../test/support/http/http-kit.ts';
import { emptyView } from '../app/empty-view.ts';
import type { HttpIntake } from '../connector.ts';

const phone = '+880 2-5500-1234';
const visitors = { tenMinutes: 10, day: 30, everybodyHour: 100 };

async function start(forms: Record<string, Partial<HttpIntake>>) {
  const intakes = new Map(
    Object.entries(forms).map(([name, more]) => [
      name,
      { intake: { ...sampleIntake(name), ...more }, view: emptyView },
    ]),
  );
  const http = await startSampleHttp({ intakes });
  onTestFinished(() => http.stop());
  return {
    http,
    open: (path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
      fetch(`${http.url}${path}`, { headers: { 'accept-language': 'de', ...headers } }),
  };
}

const form = { visitors, phone: async () => phone };

it.each(['/in/webseite/form', '/in/', '/in', '/termin', '/form', '/in/WEBSEITE/Form.html?lang=de'])(
  'a visitor at %s reads words and the clinic’s number',
  async (path) => {
    const { open } = await start({ website: form });

    const answer = await open(path);
    const page = await answer.text();

    expect(answer.status).toBe(404);
    expect(page).toContain(
      '<p>Bitte prüfen Sie die Adresse. Oder rufen Sie die Praxis an: <a href="tel:+880255001234"><bdi dir="ltr">+880 2-5500-1234</bdi></a></p>',
    );
  },
);

it('a visitor at an address that cannot be read gets words, too', async () => {
  const { open } = await start({ website: form });

  const page = await (await open('/in/%E0%A4%A/form')).text();

  expect(page).toContain('Please check the address.');
});

it.each<[string, Record<string, Partial<HttpIntake>>]>([
  [
    'there are forms of several clinics',
    { website: form, north: { visitors, phone: async () => '555-0100' } },
  ],
  ['its clinic has none', { website: { visitors, phone: async () => undefined } }],
  ['it cannot be read', { website: { visitors, phone: () => Promise.reject(new Error('no database')) } }],
  ['no form is public', { tool: {} }],
])('reads no number where %s', async (_why, forms) => {
  const { open } = await start(forms);

  const page = await (await open('/in/webseite/form')).text();

  expect(page).toContain('<p>Bitte prüfen Sie die Adresse.</p>');
});

it('a program gets the reason', async () => {
  const { open } = await start({ website: form });

  const answer = await open('/in/webseite/form', { accept: 'application/json' });

  expect(await answer.json()).toMatchObject({ message: 'No connector of that name takes bookings here' });
});

it('tells whoever runs it which path arrived, and nothing that may be a name', async () => {
  const { http, open } = await start({ website: form });
  const openThrice = async (path: string) => {
    for (let i = 0; i < 3; i += 1) await open(path);
    return http.needs();
  };

  const named = [
    ...(await openThrice('/in/Ann%20Lee/form')),
    ...(await openThrice('/in/webseite/Ann')),
    ...(await openThrice('/wp-login.php')),
  ];
  const [need, ...others] = await openThrice('/in/webseite/form?patient_name=Ann');

  expect(named).toEqual([]);
  expect(others).toEqual([]);
  expect(need).toMatchObject({
    subject: 'website',
    sentence: expect.stringMatching(/They open \/in\/webseite\/form, where no form is/),
    action: expect.stringMatching(/the form is at \/in\/website\/form\./),
  });
  expect(JSON.stringify(need)).not.toContain('Ann');
});
