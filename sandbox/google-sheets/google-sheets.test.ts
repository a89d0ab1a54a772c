import { createSign } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { type SheetsSandbox, startSheetsSandbox } from './google-sheets.ts';

let sandbox: SheetsSandbox;
const clock = fakeClock();

beforeEach(async () => {
  sandbox = await startSheetsSandbox({ clock });
  onTestFinished(() => sandbox.close());
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function grant(claims: Record<string, unknown> = {}, key = sandbox.credentials.private_key) {
  const now = Math.floor(Date.now() / 1_000);
  const body = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded({
    iss: sandbox.credentials.client_email,
    aud: 'https://oauth2.googleapis.com/token',
    scope: 'https://www.googleapis.com/auth/spreadsheets',
    iat: now,
    exp: now + 3_600,
    ...claims,
  })}`;
  const assertion = `${body}.${createSign('RSA-SHA256').update(body).sign(key, 'base64url')}`;
  const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
  const answer = await fetch(sandbox.tokenUrl, { method: 'POST', body: form });
  return (await answer.json()) as { access_token?: string; error_description?: string };
}

async function call(path: string, body?: unknown) {
  const { access_token } = await grant();
  const answer = await fetch(`${sandbox.url}/v4/spreadsheets/${sandbox.spreadsheetId}${path}`, {
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { error?: { message: string }; sheets?: unknown[] },
  };
}
const batch = (...requests: unknown[]) => call(':batchUpdate', { requests });
const write = (value: unknown, fields: string | undefined = 'userEnteredValue') => ({
  updateCells: { start: { sheetId: 0, rowIndex: 0, columnIndex: 0 }, rows: [{ values: [value] }], fields },
});

describe('the token endpoint', () => {
  it('grants a token for a signed assertion', async () => {
    expect((await grant()).access_token).toEqual(expect.any(String));
  });

  it.each([
    ['another audience', { aud: 'https://example.com' }, 'audience'],
    [
      'a clock an hour ahead',
      { iat: Date.now() / 1_000 + 3_600, exp: Date.now() / 1_000 + 7_200 },
      'reasonable timeframe',
    ],
    ['a life of a day', { exp: Date.now() / 1_000 + 86_400 }, 'short-lived'],
    ['another scope', { scope: 'https://www.googleapis.com/auth/drive' }, 'scope'],
    ['an unknown account', { iss: 'nobody@example.com' }, 'account not found'],
  ])('refuses %s', async (_name, claims, words) => {
    const { access_token, error_description } = await grant(claims);

    expect(access_token).toBeUndefined();
    expect(error_description).toContain(words);
  });

  it('refuses another key and a revoked one', async () => {
    const other = sandbox.control.addAccount('other').private_key;

    const forged = await grant({}, other);
    sandbox.control.revokeKey(sandbox.credentials.client_email);
    const revoked = await grant();

    expect([forged.error_description, revoked.error_description]).toEqual([
      'Invalid JWT Signature.',
      'Invalid JWT Signature.',
    ]);
  });
});

describe('requests', () => {
  it.each([
    ['an unknown field', { ...write({ userEnteredValue: { stringValue: 'a' } }), surprise: 1 }],
    ['an unknown field deep inside', write({ userEnteredValue: { stringValue: 'a', colour: 'red' } })],
    ['two kinds in one request', { ...write({}), deleteNamedRange: { namedRangeId: 'x' } }],
    ['two kinds of value', write({ userEnteredValue: { stringValue: 'a', numberValue: 1 } })],
    ['a number as text', write({ userEnteredValue: { numberValue: '1' } })],
    [
      'a wrong enum',
      { insertDimension: { range: { sheetId: 0, dimension: 'ROW', startIndex: 0, endIndex: 1 } } },
    ],
    ['a missing field mask', { updateCells: { start: { sheetId: 0 }, rows: [] } }],
    ['a field mask that names nothing there', write({}, 'value')],
    [
      'a cell outside of the grid',
      {
        updateCells: {
          start: { sheetId: 0, rowIndex: 5_000, columnIndex: 0 },
          rows: [{ values: [{}] }],
          fields: 'userEnteredValue',
        },
      },
    ],
    [
      'a tab that does not exist',
      { deleteDimension: { range: { sheetId: 9, dimension: 'ROWS', startIndex: 0, endIndex: 1 } } },
    ],
    ['a title that is taken', { addSheet: { properties: { title: 'sheet1' } } }],
  ])('are refused for %s', async (_name, request) => {
    const { status, body } = await batch(request);

    expect(status).toBe(400);
    expect(body.error?.message).toEqual(expect.any(String));
  });

  it('are applied all or none', async () => {
    const { status } = await batch(write({ userEnteredValue: { stringValue: 'first' } }), {
      deleteNamedRange: { namedRangeId: 'x' },
    });

    expect(status).toBe(400);
    expect(sandbox.control.tab('Sheet1').rows).toEqual([]);
  });

  it('are refused inside a protected range, for those who may not edit it', async () => {
    sandbox.control.userActions.protect('Sheet1', { startRowIndex: 0, endRowIndex: 1 });

    const { body } = await batch(write({ userEnteredValue: { stringValue: 'a' } }));

    expect(body.error?.message).toContain('protected cell or object');
  });

  it('carry metadata with their column, wherever it is moved', async () => {
    const location = { dimensionRange: { sheetId: 0, dimension: 'COLUMNS', startIndex: 2, endIndex: 3 } };
    await batch({
      createDeveloperMetadata: {
        developerMetadata: { metadataKey: 'k', metadataValue: 'v', location, visibility: 'DOCUMENT' },
      },
    });

    sandbox.control.userActions.moveColumn('Sheet1', 2, 0);

    expect(
      sandbox.control
        .tab('Sheet1')
        .columns.slice(0, 3)
        .map(({ metadata }) => metadata.length),
    ).toEqual([1, 0, 0]);
  });
});

describe('formulas', () => {
  it.each([
    ['=TODAY()+1', { numberValue: 46_084 }],
    ['=B1', { stringValue: 'Ann' }],
    ['=$C$1-2', { numberValue: 3 }],
    ['=D1', {}],
    ['=B1+1', { errorValue: { type: 'VALUE', message: expect.any(String) } }],
    ['=ZZ9', { errorValue: { type: 'REF', message: expect.any(String) } }],
    ['=A1', { errorValue: { type: 'REF', message: expect.any(String) } }],
    ['=NONSENSE(1)', { errorValue: { type: 'NAME', message: expect.any(String) } }],
  ])('come to what they say: %s', async (formula, effectiveValue) => {
    const { userActions } = sandbox.control;
    for (const [column, typed] of [{ formula }, 'Ann', 5].entries())
      userActions.type('Sheet1', 0, column, typed);

    const { body } = await call('?fields=sheets(data(rowData(values(userEnteredValue,effectiveValue))))');

    expect(body.sheets).toMatchObject([
      {
        data: [
          {
            rowData: [{ values: [{ userEnteredValue: { formulaValue: formula }, effectiveValue }, {}, {}] }],
          },
        ],
      },
    ]);
  });
});

describe('access', () => {
  it('follows sharing, quota and the switch of the API', async () => {
    const { control, credentials } = sandbox;
    control.share(credentials.client_email, 'reader');
    const reader = [(await call('')).status, (await batch(write({}))).status];
    control.share(credentials.client_email, 'none');
    const nobody = (await call('')).status;
    control.share(credentials.client_email, 'writer');
    control.setQuota({ read: 4, write: 60 });
    const limited = [(await call('')).status, (await call('')).status, (await call('')).status];
    await clock.advance(60_000);
    const later = (await call('')).status;
    control.enableApi(false);

    const off = await call('');

    expect(reader).toEqual([200, 403]);
    expect(nobody).toBe(403);
    expect(limited.at(-1)).toBe(429);
    expect(later).toBe(200);
    expect(off.body.error?.message).toContain('disabled');
  });
});

describe('a rule of a cell', () => {
  const ages = {
    condition: { type: 'NUMBER_BETWEEN', values: [{ userEnteredValue: '1' }, { userEnteredValue: '9' }] },
  };
  const range = { startRowIndex: 0, endRowIndex: 3, startColumnIndex: 0, endColumnIndex: 1 };
  const strict = async () => {
    sandbox = await startSheetsSandbox({ clock, behavior: { checkboxesTakeAnything: false } });
    onTestFinished(() => sandbox.close());
    return sandbox.control.userActions;
  };
  const put = (value: unknown) => batch(write({ userEnteredValue: value }));

  it('refuses the whole batch for a value outside of a strict range, and only marks it with a warning', async () => {
    const actions = await strict();
    actions.validate('Sheet1', range, { ...ages, strict: true });
    const answers = [
      await put({ numberValue: 12 }),
      await put({ stringValue: '5' }),
      await put({ numberValue: 5 }),
    ];
    actions.validate('Sheet1', range, { ...ages, strict: false });

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200]);
    expect(answers[0]?.body.error?.message).toMatch(
      /^Invalid requests\[0\]\.updateCells: .*data validation rules/,
    );
    expect((await put({ numberValue: 12 })).status).toBe(200);
  });

  it('refuses what is not of the type of a table’s column, but no formula', async () => {
    (await strict()).typeColumn('Sheet1', 0, 'DATE');

    expect((await put({ stringValue: 'queued' })).status).toBe(400);
    expect((await put({ numberValue: 46_100 })).status).toBe(200);
    expect((await put({ formulaValue: '=TODAY()' })).status).toBe(200);
  });
});
