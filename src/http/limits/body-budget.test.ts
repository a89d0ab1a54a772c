import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readBody } from '../body.ts';
import { createBodyBudget } from './body-budget.ts';

/** Bodies of addresses; `lost` names those given up, in order. */
function budgetOf(limitBytes: number) {
  const budget = createBodyBudget(limitBytes);
  const lost: string[] = [];
  const body = (name: string, address: string, bytes: number) => {
    const held = budget.open(address, () => lost.push(name));
    held.hold(bytes);
    return held;
  };
  return { body, lost };
}

describe('the budget of unfinished bodies', () => {
  it('gives up the largest body of the address that holds the most', () => {
    const { body, lost } = budgetOf(100);
    body('small of many', '192.0.2.1', 20);
    body('large of many', '192.0.2.1', 40);
    body('largest', '192.0.2.2', 39);

    body('lead', '192.0.2.3', 5);

    expect(lost).toEqual(['large of many']);
  });

  it('never gives up a small body for the sake of larger ones, however many addresses send them', () => {
    const { body, lost } = budgetOf(64 * 16);
    body('lead', '192.0.2.1', 2);

    for (let i = 0; i < 1_000; i += 1) body(`flood ${i}`, `10.0.${i >> 8}.${i & 255}`, 64);

    expect(lost).toHaveLength(1_000 - 15);
    expect(lost).not.toContain('lead');
  });

  it('gives up a body that alone is too large', () => {
    const { body, lost } = budgetOf(100);

    body('huge', '192.0.2.1', 101);

    expect(lost).toEqual(['huge']);
  });

  it('counts a body that is read or given up no longer', () => {
    const { body, lost } = budgetOf(100);
    const read = body('read', '192.0.2.1', 90);
    read.close();
    read.close();
    read.hold(90);
    body('first', '192.0.2.2', 60);
    body('second', '192.0.2.3', 60);
    body('third', '192.0.2.4', 40);

    expect(lost).toEqual(['first']);
  });

  it('takes the addresses of one IPv6 network for one sender', () => {
    const { body, lost } = budgetOf(100);
    body('one', '2001:db8::1', 30);
    body('two', '2001:db8::2', 30);
    body('other', '2001:db8:1::1', 40);

    body('lead', '192.0.2.1', 1);

    expect(lost).toEqual(['one']);
  });
});

it('has large bodies read in turn, a chunk of each', async () => {
  const budget = createBodyBudget(2_000_000);
  const file = '--b\r\ncontent-disposition: form-data; name="f"; filename="x"\r\n\r\n';
  const texts = [file.padEnd(20_000), 'x'.repeat(20_000), 'y'.repeat(20_000), '\r\n--b--\r\n'];
  const chunks = texts.map((text) => Buffer.from(text));
  const order: string[] = [];
  const send = async (name: string) => {
    const payload = new Readable({ read() {} });
    for (const chunk of [...chunks, null]) payload.push(chunk);
    const sent = { contentType: 'multipart/form-data; boundary=b', length: Number.NaN, address: name };
    const body = readBody({ payload, ...sent }, { bodyBytes: 20, multipartBytes: 100_000 }, budget);
    payload.on('data', () => order.push(name));
    await body;
  };

  await Promise.all([send('one'), send('other')]);

  expect(order).toEqual(chunks.flatMap(() => ['one', 'other']));
});
