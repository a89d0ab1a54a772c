import type { Behavior } from './behavior.ts';
import type { SheetsSandbox, SheetsSandboxOptions } from './google-sheets.ts';
import type { UserActions } from './user-actions.ts';

/** Something that the real Google does, or may do, and that a lenient stand-in would miss. */
export interface KnownReason {
  what: string;
  /** `documented`: by Google, or reported by several users. */
  known: 'documented' | 'unknown';
  /** Where this is documented or reported. */
  evidence?: string;
  /** How the sandbox does it: always, or when a test asks for it. */
  sandbox: 'always' | Partial<Switch>;
  /** What decides it in `npm run test:live`: a question, the connector's own run, or manual steps. */
  live: 'question' | 'run' | { manual: string };
}

interface Switch {
  behavior: keyof Behavior;
  option: keyof SheetsSandboxOptions;
  action: keyof UserActions;
  control: keyof SheetsSandbox['control'];
}

export const knownOfGoogle: readonly KnownReason[] = [
  {
    what: '`setDataValidation` is refused on typed columns of a table',
    known: 'documented',
    sandbox: { action: 'convertToTable' },
    live: {
      manual:
        'Convert Bookings to a table, insert a row, tick it: is it booked, and does Sync name the drop-downs?',
    },
  },
  {
    what: 'a choice in a list may be a formula',
    known: 'unknown',
    evidence: 'the contract: not supported',
    sandbox: { behavior: 'listsTakeFormulas' },
    live: 'question',
  },
  {
    what: 'the time zone may be `GMT-07:00`',
    known: 'documented',
    sandbox: { option: 'timeZone' },
    live: {
      manual:
        'Set the time zone to `GMT-07:00` (File, Settings), tick a row: is ' +
        'it booked, is Sync’s As of the clinic’s time?',
    },
  },
  {
    what: 'NOW() moves only when something changes, or every minute if so set',
    known: 'documented',
    sandbox: 'always',
    live: { manual: 'Stop the daemon, leave the sheet open for an hour: does State turn red by itself?' },
  },
  {
    what: 'a reading of some tabs carries the spreadsheet’s own metadata',
    known: 'unknown',
    sandbox: { behavior: 'filteredReadingsHaveOwners' },
    live: 'question',
  },
  {
    what: 'drop-downs skip filtered rows unless told otherwise',
    known: 'documented',
    sandbox: { action: 'filter' },
    live: {
      manual:
        'Filter Bookings so that rows are hidden, add a dentist at the clinic, take ' +
        'the filter away: is the list the same in all rows?',
    },
  },
  {
    what: 'all rows below the frozen ones cannot be deleted at once',
    known: 'documented',
    sandbox: 'always',
    live: { manual: 'Delete all rows of Treatments below the header: are they back within five minutes?' },
  },
  {
    what: 'the owner’s mark of a copied file can be changed',
    known: 'unknown',
    evidence: 'one report: no',
    sandbox: { behavior: 'copiedOwnersCanBeChanged', action: 'copyFile' },
    live: { manual: 'File, Make a copy; set `adopt` and run twice: does the second run write nothing?' },
  },
  {
    what: 'undo and a restored version bring back the marks of columns',
    known: 'unknown',
    sandbox: { behavior: 'undoRestoresMarks', action: 'undo' },
    live: {
      manual:
        'Delete the column Fee, undo: does `connectors check` miss it? Restore yesterday’s version: and now?',
    },
  },
  {
    what: 'a strict rule or a typed column takes other values from a client',
    known: 'unknown',
    evidence: 'Apps Script: no',
    sandbox: { behavior: 'checkboxesTakeAnything', action: 'validate' },
    live: 'question',
  },
  {
    what: 'the inner cells of merged ranges keep what is written',
    known: 'unknown',
    sandbox: { behavior: 'mergedCellsTakeWrites', action: 'merge' },
    live: { manual: 'Merge Fee of two rows: does Sync name it, and is nothing written again?' },
  },
  {
    what: 'line breaks come back as written',
    known: 'unknown',
    sandbox: { behavior: 'lineBreaksAreKept' },
    live: 'question',
  },
  {
    what: 'a protection by a named range shows its range',
    known: 'documented',
    sandbox: { action: 'protect' },
    live: {
      manual:
        'Protect a named range over Fee against the robot: does Sync name ' +
        'it, and does everything else stay up to date?',
    },
  },
  {
    what: 'keys are forbidden in organizations made since May 2024',
    known: 'documented',
    sandbox: { control: 'browse' },
    live: {
      manual: 'Sign in by `connectors login` instead of with a key: does everything above still work?',
    },
  },
  {
    what: 'sharing outside the organization is forbidden',
    known: 'documented',
    sandbox: { control: 'share' },
    live: { manual: 'Take the robot’s access away: does `connectors check` name the address to share with?' },
  },
  {
    what: 'a file in the bin is read and written as before',
    known: 'documented',
    evidence: 'obot-platform/obot#108; unknown for somebody else’s bin',
    sandbox: { behavior: 'binnedFilesAreServed', control: 'bin' },
    live: {
      manual:
        'Tick a row, move the file to the bin: is the row booked, and does `connectors check` ' +
        'name the bin? Restore it: is the fee right within five minutes?',
    },
  },
  {
    what: 'Drive tells a service account whether a file is in the bin',
    known: 'documented',
    evidence: '`trashed` of its files; needs the Drive API switched on',
    sandbox: { control: 'enableDriveApi' },
    live: 'question',
  },
  {
    what: 'a chart over rows of one tab is taken',
    known: 'documented',
    sandbox: 'always',
    live: 'run',
  },
  {
    what: 'charts that people moved, restyled or deleted stay so',
    known: 'documented',
    sandbox: 'always',
    live: { manual: 'Move one chart of Overview and delete the other, wait six minutes: do both stay so?' },
  },
  {
    what: 'every tab is taken as it is made, rows and formats, and nothing is written again',
    known: 'documented',
    sandbox: 'always',
    live: 'run',
  },
  {
    what: 'a duplicated tab carries our marks too',
    known: 'unknown',
    sandbox: { action: 'duplicateTab' },
    live: { manual: 'Duplicate Bookings, tick a row in the copy: does Sync say so within five minutes?' },
  },
  {
    what: 'notes stay with their rows while people sort, filter, insert, move and rename',
    known: 'documented',
    sandbox: { action: 'sort' },
    live: {
      manual:
        'Sort, filter, insert and move columns, rename tabs for five minutes while fees ' +
        'change, also in Overview: are all notes where they were?',
    },
  },
];

export const knownText = ({ known, evidence }: KnownReason): string =>
  evidence === undefined ? known : `${known} (${evidence})`;
