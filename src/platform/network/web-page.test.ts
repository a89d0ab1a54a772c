import { expect, test } from 'vitest';
import { isWebPage } from './web-page.ts';

test.each([
  ['a page', '<!DOCTYPE html><html><body>Sign in to the guest network</body></html>'],
  ['a page without a type', '<html>\n<head><title>502 Bad Gateway</title></head></html>'],
  ['a page behind blank lines and a comment', '\n\r\n<!-- nginx --><!-- a --> \n<HTML lang=en>'],
  ['a page behind a byte order mark', '\uFEFF<html>'],
  ['XHTML', '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0">'],
  ['a script that reloads', '<script>window.location="/login"</script>'],
  ['a refresh', '<meta http-equiv="refresh" content="0;url=https://portal.example/">'],
  ['a heading alone', '<h1>Maintenance</h1>'],
  ['a centred error', '<center><h1>403 Forbidden</h1></center>'],
  ['a frame of a parked domain', '<frameset rows="100%,*">'],
])('recognizes %s', (_, body) => {
  expect(isWebPage(body)).toBe(true);
  expect(isWebPage(Buffer.from(body))).toBe(true);
});

test.each([
  ['nothing', ''],
  ['JSON', '{"ok":true}'],
  ['JSON that quotes a page', '{"message":"<html></html>"}'],
  ['a word', 'ok'],
  ['an XML answer', '<?xml version="1.0"?><Response><Ok/></Response>'],
  ['a SOAP answer', '<soap:Envelope xmlns:soap="x"></soap:Envelope>'],
  ['a plain sentence', 'Less is <html>'],
  ['a warning of PHP before JSON', '<br />\n<b>Deprecated</b>:  x in y on line 3<br />\n{"success":true}'],
  ['tags that only begin alike', '<header-list><p2/></header-list>'],
])('does not take %s for one', (_, body) => {
  expect(isWebPage(body)).toBe(false);
});
