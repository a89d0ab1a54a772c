import { expect, it } from 'vitest';
import { html, prose, toText } from '../../platform/text/html.ts';

it('escapes every value, in text and in attributes', () => {
  const name = `<script>"O'Neil" & sons</script>`;

  expect(toText(html`<p title="${name}">${name}</p>`)).toBe(
    '<p title="&lt;script&gt;&quot;O&#39;Neil&quot; &amp; sons&lt;/script&gt;">&lt;script&gt;&quot;O&#39;Neil&quot; &amp; sons&lt;/script&gt;</p>',
  );
});

it('keeps what is HTML already, alone and in lists', () => {
  expect(toText(html`<ul>${['a', '<b>'].map((item) => html`<li>${item}</li>`)}</ul>`)).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
  );
});

it('leaves out what is not there, and shows zero', () => {
  expect(toText(html`${null}${undefined}${false}${0}`)).toBe('0');
});

it('makes lone surrogates printable', () => {
  expect(toText(html`${'\ud800'}`)).toBe('\ufffd');
});

it('sets commands in a sentence apart', () => {
  expect(toText(prose('Try `clinic-sync doctor` & wait.'))).toBe(
    'Try <code>clinic-sync doctor</code> &amp; wait.',
  );
});

it('joins indented lines as JSX does, and keeps every other line break', () => {
  const [open, value] = [true, 'a\n b'];
  const page = html`
    <p class="x"
      lang="en"${open && html` hidden`}>
      ${value}
      some words
      and more <b>of them</b>
    </p>
<pre>two
lines</pre>`;

  expect(toText(page)).toBe(
    '<p class="x" lang="en" hidden>a\n bsome words and more <b>of them</b></p>\n<pre>two\nlines</pre>',
  );
});
