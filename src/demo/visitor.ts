/** A website visitor who opens the form, fills it in and sends it: plain HTTP, like a browser without scripts. */
export interface Visit {
  formUrl: string;
  fields: Record<string, string>;
  /** Waits as long as a person would need to type. */
  pause: () => Promise<void>;
  signal: AbortSignal;
}

/** Resolves to the text of the page after sending. Throws when the form is not accepted. */
export async function fillInForm({ formUrl, fields, pause, signal }: Visit): Promise<string> {
  const page = await (await fetch(formUrl, { signal })).text();
  const action = new URL(attribute(page.match(/<form\b[^<>]*>/)?.[0] ?? '', 'action') || formUrl, formUrl);
  const form = new URLSearchParams();
  for (const [input] of page.matchAll(/<input\b[^<>]*>/g)) {
    if (attribute(input, 'type') === 'hidden') form.set(attribute(input, 'name'), attribute(input, 'value'));
  }
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  await pause();

  const headers = { accept: 'text/html', origin: action.origin };
  const sent = await fetch(action, { method: 'POST', body: form, headers, redirect: 'manual', signal });
  const next = sent.headers.get('location');
  if (sent.status === 303 && next) return (await fetch(new URL(next, action), { signal })).text();
  const text = await sent.text();
  if (!sent.ok) throw new Error(`the form was answered ${sent.status}: ${text.slice(0, 300)}`);
  return text;
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

function attribute(tag: string, name: string): string {
  const value = tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1] ?? '';
  return value.replace(/&(amp|quot|#39|lt|gt);/g, (entity) => entities[entity] ?? entity);
}
