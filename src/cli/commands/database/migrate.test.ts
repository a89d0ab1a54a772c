import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../../test/support/run-cli.ts';

describe('migrate', () => {
  it.each([
    [
      'postgres://me@db/clinic',
      'sqlite:/data/x.db',
      /cannot be moved from a PostgreSQL server back into a file/,
    ],
    ['/data/x.db', 'postgres://me@db/clinic', /Write --from sqlite:FILE/],
    ['sqlite:', 'postgres://me@db/clinic', /Write --from sqlite:FILE/],
    ['sqlite:/data/x.db', 'mysql://me@db/clinic', /Write --to postgres:postgres:/],
    ['sqlite:/data/x.db', 'postgres_file:/nowhere/address', /\/nowhere\/address cannot be read \(ENOENT\)/],
  ])('from %s to %s is a wrong command line', async (from, to, said) => {
    const { code, err } = await runCommand(['migrate', '--from', from, '--to', to]);

    expect(err).toMatch(said);
    expect(code).toBe(64);
  });

  it('explains what a database’s address looks like, without repeating the wrong one', async () => {
    const { code, err } = await runCommand([
      'migrate',
      '--from',
      'sqlite:/nowhere/x.db',
      '--to',
      'postgres:planted',
    ]);

    expect(err).toMatch(/address of the database cannot be read.*\n.*postgres:\/\/USER:PASSWORD@HOST/);
    expect(err).not.toContain('planted');
    expect(code).toBe(1);
  });
});
