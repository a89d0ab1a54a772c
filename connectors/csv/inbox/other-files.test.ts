import { mkdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DAY, MINUTE } from '../../../src/platform/duration.ts';
import { ann, bob, file, header, openInbox } from '../../../test/support/csv/inbox.ts';
import { type FileKind, fileKindOf } from './file-kinds.ts';

it.each([
  ...[
    '.DS_Store',
    '._leads.csv',
    '.~lock.leads.csv#',
    '~$leads.csv',
    '.stignore',
    '.syncthing.leads.csv.tmp',
  ],
  ...['.fuse_hidden0001', '.nfs0000001', '~WRL0003.tmp', 'lu1234ab.tmp', '.hidden.csv'],
  ...[
    'Thumbs.db',
    'ehthumbs.db',
    'desktop.ini',
    'Icon\r',
    'Thumbs.db:encryptable',
    'leads.csv:Zone.Identifier',
  ],
  ...['leads.csv\uf03aZone.Identifier', 'leads.csv:com.dropbox.attrs', 'leads.csv:AFP_AfpInfo'],
  ...['@eaDir', '@SynoResource', '@SynoEAStream', '#recycle', '#snapshot', '$RECYCLE.BIN', '__MACOSX'],
  ...[
    'leads.csv.md5',
    'leads.sha256',
    'leads.csv.asc',
    'leads.ok',
    'leads.csv.done',
    'LEADS.TRG',
    'leads.csv.lock',
  ],
  ...['~syncthing~leads.csv.tmp', 'leads.csv@SynoEAStream', 'leads.csv@SynoResource'],
  ...['leads.csv.sha256sum', 'leads.csv.md5sum', 'leads.sha512sum', 'leads.csv.sha1', 'leads.csv.sha1sum'],
  ...['SHA256SUMS', 'MD5SUMS', 'CHECKSUMS', 'checksums.txt', 'SHA512SUMS.asc', 'leads.csv.checksum'],
  ...['leads.csv~', 'leads.csv.~1~', '#leads.csv#', 'leads.csv.swp', '.leads.csv.swp', 'leads.csv.bak'],
  ...['RCLONE_TEST', '_SUCCESS', '_committed_123', 'index.php', 'index.html', 'web.config', 'leads.csv.old'],
  ...['leads.csv.sha256.txt', 'leads.csv.cksum', 'leads.csv.rdy', 'leads.csv.success', 'leads.csv:user.mime'],
  ...['leads.csv.sb-6a4f8c5e-aBc123', 'leads.csv#Zone.Identifier'],
  ...['A1B2C3D4', '~DF12AB.tmp', 'sync.ffs_db', 'FOUND.000', '.pureftpd-upload.1', '.leads.csv.Xy12Zz'],
])('takes %j for nobody’s', (name) => {
  expect(fileKindOf(name)).toBe('litter');
});

it.each<[name: string, kind: FileKind]>([
  ['leads.csv', 'csv'],
  ['LEADS.CSV', 'csv'],
  ['a:b*?.csv', 'csv'],
  ['.leads.csv.icloud', 'online_only'],
  ['april.csv.nextcloud', 'online_only'],
  ['april.csv.owncloud', 'online_only'],
  ['april.csv.rsls', 'online_only'],
  ['notes.txt', 'other'],
  ...[
    ...['leads.csv.part', 'leads.csv.crdownload', 'Unconfirmed 1234.crdownload', 'leads.csv.filepart'],
    ...['leads.csv.partial', 'leads.csv.1a2b3c4d.partial', 'leads.csv.download', 'leads.csv.tmp'],
    ...['leads.csv.lftp-pget-status', 'leads.csv.in-progress', 'leads.csv.!qB', 'leads.csv.crswap'],
    ...['leads.csv.opdownload', 'leads.csv.!sync', 'leads.csv.aria2', 'LEADS.CSV.PART', 'leads.csv.~2a3b'],
  ].map((name) => [name, 'transfer'] satisfies [string, FileKind]),
  ...['leads.csv - Shortcut.lnk', 'leads.csv.url', 'leads.xls', 'leads.ods', 'leads.csv.gz'].map(
    (name) => [name, 'other'] satisfies [string, FileKind],
  ),
  ['.leads.xlsx.icloud', 'online_only'],
  ['leads.xlsx', 'csv'],
  ['~leads.csv', 'csv'],
  ['part.csv', 'csv'],
  ['token', 'other'],
])('takes %j for %s', (name, kind) => {
  expect(fileKindOf(name)).toBe(kind);
});

const old = async (path: string) => utimes(path, 1, 1);

it('says which files lie in folders, and which have their content elsewhere, and is quiet about litter', async () => {
  const { inbox, converge, drop } = await openInbox();
  const put = async (name: string) => {
    await drop(name, file(header, ann));
    await old(join(inbox, name));
  };
  await mkdir(join(inbox, 'Website/2026'), { recursive: true });
  await mkdir(join(inbox, '@eaDir'));
  for (const name of [
    'Website/leads.csv',
    'Website/2026/b\u0007.csv',
    'Website/notes.txt',
    '@eaDir/leads.csv',
  ])
    await put(name);
  for (const name of ['.april.csv.icloud', 'may.csv.nextcloud', 'leads.csv.md5', 'Icon\r']) await put(name);

  const { problems } = await converge();

  expect(problems.map((one) => (one as { sentence: string }).sentence)).toEqual([
    expect.stringMatching(/^Website\/2026\/b \.csv, Website\/leads\.csv: in a folder inside .*inbox,/),
    expect.stringMatching(
      /^(?:\.april\.csv\.icloud, may|may\.csv\.nextcloud, \.april).*placeholder of a cloud drive/,
    ),
  ]);
});

it('says which file has not arrived for ten minutes, since when, and is quiet about younger ones', async () => {
  const { inbox, converge, drop, clock } = await openInbox();
  const put = async (name: string, minutes: number) => {
    // As file systems have them.
    const at = (clock.now() - minutes * MINUTE) / 1_000 - 0.0004321;
    await drop(name, file(header, ann));
    await utimes(join(inbox, name), at, at);
  };
  await put('young.csv.part', 9);
  await put('leads.csv.filepart', 30);
  await put('more.csv.crdownload', 11);
  await mkdir(join(inbox, 'safari.csv.download'));
  await put('safari.csv.download/safari.csv', 30);

  const { problems } = await converge();

  expect(problems).toMatchObject([
    {
      sentence: expect.stringMatching(
        /^(?:leads\.csv\.filepart, more\.csv\.crdownload|more.*, leads.*) in .*: not complete since 2026-03-02 14:3\d, so/,
      ),
      weight: 'need',
    },
  ]);
});

it('counts only what was refused of the files in failed/, days later and beside yours of those names, too', async () => {
  const { inbox, converge, drop, take, clock, settle } = await openInbox();
  await take('leads.csv', 'who,what\n1,2\n');
  await take('more.csv', 'who,what\n3,4\n');
  await take('leads.csv', file('who,Name,Phone,Date,Time', '1,2', ann));
  for (const name of ['failed/leads.csv', 'failed/more.xlsx', 'failed/mine.csv']) {
    await drop(name, file(header, bob));
    await old(join(inbox, name));
  }
  await rm(join(inbox, 'failed/more.error.txt'));
  clock.jump(3 * DAY);
  await settle();
  await converge();

  const { problems } = await converge();

  expect(problems.map((one) => (one as { sentence: string }).sentence)).toEqual([
    expect.stringMatching(/^1 file in .*failed: not booked/),
    expect.stringMatching(/^failed\/leads\.csv, failed\/mine\.csv, failed\/more\.xlsx: in a folder inside/),
  ]);
});

it('says which file is not complete after ten minutes, and since when', async () => {
  const { converge, drop, clock } = await openInbox();
  await drop('empty.csv', '');
  await converge();
  await clock.advance(9 * MINUTE);
  const early = await converge();
  await clock.advance(MINUTE);

  const { problems } = await converge();
  await drop('empty.csv', file(header));
  await converge();
  await clock.advance(MINUTE);
  const later = await converge();

  expect(early.problems).toEqual([]);
  expect(problems).toMatchObject([
    {
      sentence: expect.stringMatching(/^empty\.csv in .*: not complete since 2026-\d\d-\d\d \d\d:\d\d, so/),
      weight: 'need',
    },
  ]);
  expect(later.problems).toEqual([]);
});

it('goes on with all other files while one of the inbox is stuck, and names it', async () => {
  const { take, inbox, desk, converge, names } = await openInbox();
  await take('leads.csv', file(header, ann));
  await mkdir(join(inbox, 'results/.leads.results.csv.tmp'));

  await take('more.csv', file(header, bob));
  desk.move('CS-000001', { state: 'booked', appointment_id: 7 });
  const { problems } = await converge();

  expect(desk.bookings).toHaveLength(2);
  expect(await names('results')).toContain('more.results.csv');
  expect(problems).toMatchObject([
    {
      sentence: expect.stringMatching(/^leads\.results\.csv in .*cannot be taken \(EISDIR\)/),
      weight: 'trouble',
    },
  ]);
});
