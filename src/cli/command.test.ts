import { expect, it } from 'vitest';
import { runCommand } from '../../test/support/run-cli.ts';
import { commands, headings } from './commands.ts';

it('prints examples so that they can be copied, whatever the width', async () => {
  const helps = ['people export', 'migrate', 'bookings add', 'report fees', 'deliveries skip'];
  const outs = await Promise.all(
    helps.flatMap((line) =>
      [80, 100].map(
        async (columns) =>
          (await runCommand([...line.split(' '), '--help'], undefined, undefined, columns)).out,
      ),
    ),
  );

  const printed = outs.flatMap((out) =>
    out
      .slice(out.indexOf('Examples:'))
      .replaceAll(/ \\ *\n +/g, ' ')
      .split(/ *\n/),
  );
  for (const line of [
    'people export --phone "+880 1712 345678" > ann-lee.json',
    'migrate --from sqlite:/data/clinic-sync.db --to postgres_file:/run/secrets/database_url',
    'bookings add --name "Ann Lee" --phone +8801712345678 --date 2026-12-01 --time 10:30',
    'report fees --changes --from 2026-01-01',
  ])
    expect(printed.filter((one) => one === `  clinic-sync ${line}`)).toHaveLength(2);
  expect(printed.filter((one) => one === '  # a patient asked for it')).toHaveLength(2);
});

it('lists every command in the help, under the heading of its group', async () => {
  const { out } = await runCommand(['--help']);

  const [, ...groups] = out.split(/^(?=\S.*:$)/m).filter((part) => !/^(Options|Examples):/.test(part));
  const listed = groups.flatMap((part) => [...part.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name));
  expect(groups.map((part) => part.split(':')[0])).toEqual(Object.values(headings));
  expect(listed).toEqual(Object.keys(commands));
});

it('offers --json only where data is printed', async () => {
  const printsData = async (line: string) =>
    (await runCommand([...line.split(' '), '--help'])).out.includes('--json');

  expect(
    await Promise.all(['run', 'demo', 'openapi', 'completion', 'people export'].map(printsData)),
  ).toEqual(Array(5).fill(false));
  expect(await Promise.all(['status', 'bookings list', 'bookings approve'].map(printsData))).toEqual(
    Array(3).fill(true),
  );
});
