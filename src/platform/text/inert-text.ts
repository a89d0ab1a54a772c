/** Characters of what a person typed that are shown in somebody else's text. */
const LONGEST = 80;

/**
 * Line breaks, control characters and those that hide or turn text. Joiners stay: Bengali, Persian and emoji need them.
 */
const invisible =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Zs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]+/gu;

/** A space where programs would recognize an address, a mention, a tag or a command. */
const clickable: readonly [RegExp, string][] = [
  // scheme: and scheme://, with any slashes; not the time of day
  [/(?<=[^\s\p{N}]):(?=\S)/gu, ': '],
  [/[/\\]{2,}/gu, '/ '],
  // evil.example, 10.0.0.1, a.b@c.d, i❤.example; also with the dots of other scripts
  [/(?<=[^\s.])[.․。．｡](?=[^\s\p{P}])/gu, '. '],
  // @all, /command
  [/[@＠](?=\S)/gu, '@ '],
  [/(?<![\p{L}\p{N}])\/(?=\p{L})/gu, '/ '],
];

/** Signs of Markdown and of chat programs' markup, as signs that look alike and mean nothing: `# Ann` is no heading. */
const markup: Readonly<Record<string, string>> = {
  '*': '∗',
  _: '＿',
  '~': '∼',
  '`': 'ˋ',
  '|': '∣',
  '#': '＃',
  '>': '›',
  '[': '［',
  ']': '］',
};

/** The first code points of a text, always well-formed; `…` stands for the rest. */
export function cutText(text: string, longest: number): string {
  const formed = text.toWellFormed();
  if (formed.length <= longest) return formed;
  const points = Array.from(formed);
  if (points.length <= longest) return formed;
  return `${points
    .slice(0, longest - 1)
    .join('')
    .replace(/(?<!\u200c|\u200d|\s)(?:\u200c|\u200d|\s)+$/u, '')}…`;
}

/**
 * What a person typed, as part of a message, a page, a table or a terminal line that others read: one line, at most 80
 * characters, nothing that a mail or chat program makes a link, a mention or bold. HTML and JSON are still to be
 * escaped: `inertText('Ann\nsee http://evil.example *now*')` is `Ann see http: / evil. example ∗now∗`.
 */
export function inertText(typed: string, longest = LONGEST): string {
  const line = typed.replace(invisible, ' ').trim();
  const unlinked = clickable.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line);
  return cutText(
    unlinked.replace(/[*_~`|#>[\]]/g, (sign) => markup[sign] ?? sign),
    longest,
  );
}
