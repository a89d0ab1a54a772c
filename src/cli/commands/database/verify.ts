import type { ChainFaultKind, ChainReport, Difference } from '../../../store/ports/changes.ts';
import { command } from '../../command.ts';
import { clinicKeys } from '../../configuration.ts';
import { clearLine, counted, Exit, exit, type Io, painter, print, printJson } from '../../io.ts';
import { progressTeller } from '../../progress-line.ts';
import { withStore } from '../../with-app.ts';

export const verify = command({
  name: 'verify',
  describe: 'Check that nothing in the change log was altered, removed or added since it was written',
  args: {
    clinic: { type: 'string', describe: 'One clinic only' },
    head: {
      type: 'array',
      string: true,
      default: [],
      describe: 'A head noted earlier, as CLINIC:NUMBER:HASH; may be given several times',
      coerce: (given: string[]) => given.map(headOf),
    },
  },
  examples: {
    verify: 'the whole log, with the heads to note outside',
    'verify --head main:1042:hAsH': 'is this still the log whose head was noted then?',
  },
  open: withStore,
  async run(io, { clinic: only, head: noted, json }, { config, store }) {
    const asked = only === undefined ? await store.changes.clinics() : clinicKeys(config, only);
    // A clinic whose head was noted had a log, even if nothing of it is left.
    const clinics = [...new Set([...asked, ...noted.map(({ clinic }) => clinic)])];
    const tell = progressTeller(io);
    const reports: ChainReport[] = [];
    for (const clinic of clinics) {
      // Several noted heads of one clinic are each compared with the same log.
      const notes = noted.filter((one) => one.clinic === clinic);
      for (const note of notes.length === 0 ? [undefined] : notes)
        reports.push(
          await store.changes.verify(clinic, {
            signal: io.signal,
            noted: note,
            onProgress: ({ checked, of }) => tell(`${clinic}: ${checked} of ${of} changes checked …`, clinic),
          }),
        );
    }
    if (io.terminal) io.err(clearLine);
    if (config.retention.changes === undefined) reports.forEach(blameRemoval);
    const ok = reports.every(isIntact);
    if (json)
      printJson(io, { ok, clinics: reports.map((report) => ({ ...report, sentence: saying(report) })) });
    else say(io, reports);
    if (!ok) throw new Exit(exit.needsPerson);
  },
});

const isIntact = ({ broken, differs }: ChainReport): boolean => broken === null && differs === null;

function blameRemoval(report: ChainReport): void {
  if (report.removed !== null) report.broken ??= { sequence: report.removed.through, kind: 'unasked' };
}

function headOf(text: string): { clinic: string; sequence: number; hash: string } {
  const [, clinic = '', number = '', hash = ''] = /^(.+):([1-9]\d*):([\w-]+)$/.exec(text) ?? [];
  if (clinic === '')
    throw new Exit(exit.usage, `${text} is not a head; write CLINIC:NUMBER:HASH as verify prints it.`);
  return { clinic, sequence: Number(number), hash };
}

function say(io: Io, reports: readonly ChainReport[]): void {
  const paint = painter(io);
  if (reports.length === 0) print(io, 'No changes recorded.');
  for (const report of reports) {
    print(io, `${paint(isIntact(report) ? 'green' : 'red', report.clinic)}  ${saying(report)}`);
    for (const line of besides(report)) print(io, `    ${line}`);
  }
  const faulty = reports.filter((report) => !isIntact(report)).map(({ clinic }) => clinic);
  if (faulty.length > 0)
    print(
      io,
      `Not as clinic-sync wrote it: ${[...new Set(faulty)].join(', ')}. Copy ` +
        'the database before anything else changes it.',
    );
  else if (reports.length > 0)
    print(io, 'Note the heads outside this database: anyone who controls it could rewrite the log.');
}

const faults: Record<ChainFaultKind, (sequence: number) => string> = {
  altered: (n) => `Change ${n} is not as it was written: it, or its hash, was altered.`,
  removed: (n) => `Change ${n} was removed.`,
  inserted: (n) => `Change ${n} was inserted: clinic-sync did not write it there.`,
  unchained: (n) => `The hash of change ${n} was removed.`,
  beginning: (n) =>
    `Change ${n}, the first one, does not follow what retention removed: one of the two was altered.`,
  head: (n) => `The head of the chain, after change ${n}, was altered or removed.`,
  noted: (n) => `Change ${n} has another hash than the head that was noted: the log was rewritten.`,
  gone: (n) =>
    `Change ${n}, whose hash was noted, is no longer there and cannot be compared. Verify with a newer head.`,
  unasked: (n) =>
    `The changes up to ${n} are gone, but \`retention.changes\` is not ` +
    'set: they were deleted, unless it was set before.',
  shorter: (n) =>
    `The log ends before change ${n}, whose hash was noted: its end was removed, or an older copy is in place.`,
};

const saying = ({ checked, head, broken, differs }: ChainReport): string =>
  broken !== null
    ? faults[broken.kind](broken.sequence)
    : differs !== null
      ? `The log is intact, but the database is not what it says: ${difference(differs)}`
      : `${counted(checked, 'change')} checked, nothing was ` +
        `altered${head === null ? '' : `; head ${head.sequence}:${head.hash}`}`;

function difference({ resource, id, field, stored, logged, sequence }: Difference): string {
  const what = `${resource} ${id}`;
  if (field !== null) {
    const [now, then] = [stored, logged].map((value) => (value === null ? 'nothing' : JSON.stringify(value)));
    if (sequence === null) return `${what}, ${field}: ${now}, according to clinic-sync ${then}.`;
    return `${what}, ${field}: ${now}, according to change ${sequence} ${then}.`;
  }
  return stored === null
    ? `${what} of change ${sequence} is missing: its row was deleted.`
    : `${what} is in no change: its row was added.`;
}

function besides(report: ChainReport): string[] {
  const { removed, erased, pending, noted, broken } = report;
  const lines: string[] = [];
  const isWhole = broken === null || broken.kind === 'gone' || broken.kind === 'unasked';
  if (!isWhole) lines.push('What follows it was not checked.');
  if (removed !== null)
    lines.push(
      `Retention removed the changes up to ${removed.through}, as the database says; they can no longer be checked.`,
      'Removal by hand looks the same: only a head noted before can show it (--head).',
    );
  if (erased > 0)
    lines.push(`Of ${counted(erased, 'change')} the person was erased; what is left of them is checked.`);
  if (pending > 0)
    lines.push(
      `${counted(pending, 'change')} after it, written before the chain ` +
        'existed, will get a hash from the running daemon.',
    );
  if (noted === 'same' && isIntact(report)) lines.push('The noted head is in this log.');
  return lines;
}
