import { expect, it } from 'vitest';
import { admin, startSampleHttp } from '../../test/support/http/http-kit.ts';

async function load(path: string, headers: Record<string, string>) {
  const http = await startSampleHttp({ people: [admin] });
  try {
    const answer = await fetch(`${http.url}${path}`, { headers: { accept: 'text/html', ...headers } });
    return { text: await answer.text(), cookie: answer.headers.get('set-cookie') };
  } finally {
    await http.stop();
  }
}

it.each([
  [{ 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }, 'de', 'ltr', 'Anmelden'],
  [{ 'accept-language': 'ja, ar;q=0.4' }, 'ar', 'rtl', 'تسجيل الدخول'],
  [{ 'accept-language': 'de', cookie: 'clinic_sync_lang=tr' }, 'tr', 'ltr', 'Oturum aç'],
  [{ 'accept-language': 'ja' }, 'en', 'ltr', 'Sign in'],
  [{ cookie: 'clinic_sync_lang=<script>' }, 'en', 'ltr', 'Sign in'],
])('speaks the browser’s language unless one was chosen: %j', async (headers, lang, dir, words) => {
  const { text, cookie } = await load('/admin/sign-in', headers);

  expect(text).toContain(`<html lang="${lang}" dir="${dir}">`);
  expect(text).toContain(`<h1>${words}</h1>`);
  expect(cookie).toBeNull();
});

it('keeps a language that was chosen, and offers the others without losing what the address says', async () => {
  const { text, cookie } = await load('/?refresh=off&lang=fr', { 'accept-language': 'de' });

  expect(text).toContain('<html lang="fr"');
  expect(cookie).toBe('clinic_sync_lang=fr; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax');
  expect(text).toContain('<a href="/?refresh=off&amp;lang=ar" lang="ar"');
});

it('shows a refusal in the reader’s language', async () => {
  const { text } = await load('/nowhere', { 'accept-language': 'pl' });

  expect(text).toContain('<h1>Niczego tu nie ma</h1><p>Prosimy sprawdzić adres.</p>');
});

it('answers programs in English', async () => {
  const { text } = await load('/nowhere', { 'accept-language': 'pl', accept: 'application/json' });

  expect(JSON.parse(text)).toMatchObject({ ok: false, message: 'There is nothing here' });
});
