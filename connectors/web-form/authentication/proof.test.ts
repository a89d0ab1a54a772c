import { describe, expect, it } from 'vitest';
import {
  contentTypeOf,
  fixture,
  formSecret,
  formToken,
  intakeRequest,
  openPreset as open,
  openWebForm,
  presetKeys,
  proofOf,
  standardHeaders,
  toolRequest,
} from '../../../test/support/forms/web-form.ts';
import { type PresetName, presetNames } from '../presets/presets.ts';

const fileOf = (preset: PresetName): string => {
  if (preset === 'elementor') return 'elementor-simple.urlencoded';
  if (preset === 'jotform') return 'jotform.multipart';
  return `${preset.replace('.', '-')}.json`;
};

describe('proof of origin', () => {
  const signed = presetNames.filter((name) => name !== 'html-form');

  it.each(signed)('%s without proof is answered 401', async (preset) => {
    const { intake } = await open(preset);
    const body = fixture(fileOf(preset));

    const result = await intake.receive(
      intakeRequest(body, { 'content-type': contentTypeOf(fileOf(preset), body) }),
    );

    expect(result).toMatchObject({ kind: 'refused', status: 401 });
  });

  it.each(signed)('%s with a wrong proof is answered 401', async (preset) => {
    const { intake, clock } = await open(preset);
    const request = toolRequest(preset, fileOf(preset), clock.now());
    const spoil = (text: string | undefined) =>
      text?.replace(/[a-z0-9](?=[^a-z0-9]*$)/i, (last) => (last === 'a' ? 'b' : 'a'));
    const changed = Object.entries(request.headers).map(([name, value]) =>
      /signature|authorization/.test(name) ? [name, spoil(value)] : [name, value],
    );

    const result = await intake.receive({
      ...request,
      headers: Object.fromEntries(changed),
      path: request.path && `${request.path}x`,
    });

    expect(result).toMatchObject({ kind: 'refused', status: 401 });
  });

  const withSignature = signed.filter((name) => presetKeys[name] === undefined);

  it.each(withSignature)('%s with a changed byte in its body is answered 401', async (preset) => {
    const { intake, clock } = await open(preset);
    const request = toolRequest(preset, fileOf(preset), clock.now());

    const result = await intake.receive({
      ...request,
      body: Buffer.concat([request.body, Buffer.from(' ')]),
    });

    expect(result).toMatchObject({ kind: 'refused', status: 401 });
  });

  it.each(['wpforms', 'webflow', 'google-forms', 'calendly'] as const)(
    '%s is refused when it was signed more than five minutes ago or ahead',
    async (preset) => {
      const { intake, clock } = await open(preset);
      const signedAt = async (offset: number) =>
        (await intake.receive(toolRequest(preset, fileOf(preset), clock.now() + offset))).kind;

      const kinds = [
        await signedAt(-301_000),
        await signedAt(-299_000),
        await signedAt(299_000),
        await signedAt(301_000),
      ];

      expect(kinds).toEqual(['refused', 'submission', 'submission', 'refused']);
    },
  );

  it.each(['', 't=', 't=abc,v=00', 't=1e999,v=00', 'v=00', ',,,', '=', 't=9'.repeat(1_000)])(
    'a signature header %j is refused, not choked on',
    async (header) => {
      const { intake } = await open('wpforms');

      const result = await intake.receive(intakeRequest('{}', { 'x-wpforms-webhook-signature': header }));

      expect(result).toMatchObject({ kind: 'refused', status: 401 });
    },
  );

  it('refuses what Cal.com sends while its webhook has no secret', async () => {
    const { intake } = await open('cal.com');

    const result = await intake.receive(
      intakeRequest(fixture('cal-com.json'), { 'x-cal-signature-256': 'no-secret-provided' }),
    );

    expect(result).toMatchObject({ kind: 'refused', status: 401, message: 'The signature is not valid' });
  });

  it('accepts Webflow’s unsigned webhooks by the token in the address, and never a wrong signature', async () => {
    const { intake } = await openWebForm({ preset: 'webflow', token: formToken, secret: formSecret });
    const body = fixture('webflow.json');
    const bySignature = (headers: Record<string, string>) =>
      intake.receive(intakeRequest(body, headers, { path: formToken }));

    const unsigned = await bySignature({});
    const wrong = await bySignature({ 'x-webflow-signature': '00', 'x-webflow-timestamp': '1' });

    expect([unsigned.kind, wrong.kind]).toEqual(['submission', 'refused']);
  });

  it.each([
    `whsec_${Buffer.from('a secret of 24 bytes at least').toString('base64')}`,
    'just any text, as it is',
  ])('native takes the signatures of the Standard Webhooks library with the secret %s', async (secret) => {
    const { intake, clock } = await openWebForm({ preset: 'native', secret });
    const body = Buffer.from('{"patient_name":"Ånn – 安"}');

    const right = await intake.receive(intakeRequest(body, standardHeaders(body, clock.now(), secret)));
    const old = await intake.receive(
      intakeRequest(body, standardHeaders(body, clock.now() - 400_000, secret)),
    );

    expect(right).toMatchObject({ kind: 'submission', submission: { submission_id: 'msg_1' } });
    expect(old).toMatchObject({ kind: 'refused', status: 401 });
  });

  it('is checked over the bytes as they came, not over the text they decode to', async () => {
    const { intake, clock } = await openWebForm({ preset: 'native', secret: formSecret });
    const ofReplacement = standardHeaders(Buffer.from('\uFFFD'), clock.now(), formSecret);

    const result = await intake.receive(intakeRequest(Buffer.from([0xff]), ofReplacement));

    expect(result).toMatchObject({ kind: 'refused', status: 401, message: 'The signature is not valid' });
  });

  it('is answered with what is wrong about it: no header, no Bearer, another token', async () => {
    const { intake } = await open('native');
    const given = [{}, { authorization: formToken }, { authorization: `Bearer ${formToken}x` }];

    const refusals = await Promise.all(given.map((headers) => intake.receive(intakeRequest('{}', headers))));

    expect(refusals).toMatchObject([
      { status: 401, message: 'The Authorization header is missing' },
      { status: 401, message: 'The Authorization header names no Bearer' },
      { status: 401, message: 'The token is wrong' },
    ]);
  });

  it('lets the state of bookings be read with the token only', async () => {
    const reading = { method: 'GET', path: 'CS-7K3Q9F' } as const;
    const { intake: typeform } = await openWebForm({ preset: 'typeform', secret: formSecret });
    const { intake: jotform } = await open('jotform');
    const { intake: both } = await openWebForm({ preset: 'typeform', secret: formSecret, token: formToken });
    const signature = proofOf.typeform?.(Buffer.alloc(0), 0).headers ?? {};

    expect(typeform.authorize(intakeRequest('', signature, reading))).toMatchObject({ status: 401 });
    expect(both.authorize(intakeRequest('', signature, reading))).toMatchObject({ status: 401 });
    expect(
      both.authorize(intakeRequest('', { authorization: `Bearer ${formToken}` }, reading)),
    ).toBeUndefined();
    expect(
      jotform.authorize(intakeRequest('', {}, { ...reading, path: `${formToken}/CS-7K3Q9F` })),
    ).toBeUndefined();
    expect(jotform.authorize(intakeRequest('', {}, { ...reading, path: 'CS-7K3Q9F' }))).toMatchObject({
      status: 401,
    });
    expect(jotform.authorize(intakeRequest('', {}, { ...reading, path: 'guess/CS-7K3Q9F' }))).toMatchObject({
      status: 401,
    });
  });
});
