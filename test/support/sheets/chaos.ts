import { seededRandom } from '../../../sandbox/clinic/random.ts';
import type { Behavior } from '../../../sandbox/google-sheets/behavior.ts';
import { type SheetsSandbox, startSheetsSandbox } from '../../../sandbox/google-sheets/google-sheets.ts';
import type { Booking } from '../../../src/domain/bookings/booking.ts';
import { instant } from '../../../src/platform/clock.ts';
import { Failure } from '../../../src/platform/failure.ts';
import { fakeClock } from '../fake-clock.ts';
import { newDesk } from './desk.ts';
import { createEyes } from './eyes.ts';
import { type SheetsMirror, type SheetsRig, sheetsRig, treatmentRow } from './kit.ts';
import { misplacedCells } from './misplaced.ts';
import { movingFigures } from './moving-figures.ts';
import { createPeople, type People } from './people.ts';
import type { WrongPolicy } from './wrong-policies.ts';

export interface ChaosResult {
  bookings: number;
  /** Bookings beyond what people asked for. */
  doubles: number;
  /** Bookings that people did not mean: half one patient and half another. */
  unmeant: number;
  /** Cells of the mirror that are wrong once it is quiet. */
  wrong: number;
  /** People's cells that are gone, changed or misplaced. */
  lost: number;
  /** Ticked rows that are neither booked nor say why not. */
  silent: number;
  /** Writes after everything had come to rest. */
  restless: number;
  held: number;
  wipes: number;
  /** Times the process was killed. */
  kills: number;
  /** Of these, right after a write during which people moved cells: the next process repairs it. */
  unseen: number;
}

const KILLS = 0.04;
const KILLS_IN_A_RUSH = 0.2;

interface ChaosOptions {
  policy?: WrongPolicy;
  steps?: number;
  behavior?: Partial<Behavior>;
  /** With the tabs Leads and Price list, in which people work, too. */
  numbers?: boolean;
  /** Two people work at once, and the process is killed every few minutes. */
  rush?: boolean;
  /** In a spreadsheet with an unusual time zone, a table, filters and a treatment that reads like a formula, at times in the bin. */
  worn?: boolean;
}

/** A day at a clinic whose people do everything to their spreadsheet while the network fails, from one seed. */
export async function chaos(
  seed: number,
  { policy = {}, steps = 45, behavior = {}, numbers = false, rush = false, worn = false }: ChaosOptions = {},
) {
  const random = seededRandom(seed);
  const chance = (probability: number) => random() < probability;
  const clock = fakeClock();
  const sandbox = await startSheetsSandbox({ clock, behavior, ...(worn && { timeZone: 'GMT-07:00' }) });
  try {
    const ledger: Booking[] = [];
    const mirror: SheetsMirror = { rows: { treatments: [] }, changes: [], asOf: '2026-03-02T08:59:00.000Z' };
    let lives = 1;
    let office = newDesk(ledger, () => instant(clock.now()));
    let rig = await open();
    const people = createPeople({ sandbox, random, numbers });
    const figures = numbers ? movingFigures({ mirror, random, now: () => instant(clock.now()) }) : undefined;
    let fee = 100;
    let wipes = 0;
    let kills = 0;
    let unseen = 0;

    async function open(): Promise<SheetsRig> {
      const former = lives === 1 ? {} : { adopt: `life-${lives - 1}/accounts` };
      const more = numbers ? ['leads', 'price_list'] : [];
      const settings = { tabs: ['overview', 'treatments', 'bookings', ...more, 'sync'], ...former };
      return sheetsRig({
        sandbox,
        clock,
        settings,
        mirror,
        desk: office,
        instance: `life-${lives}`,
        policy,
        random,
      });
    }

    const treatments = () => mirror.rows.treatments ?? [];
    function clinicMoves(): void {
      fee += 1;
      const row = treatments()[Math.floor(random() * treatments().length)];
      const next = Math.max(0, ...treatments().map(({ treatment_id }) => Number(treatment_id))) + 1;
      if (row === undefined || chance(0.3))
        mirror.rows.treatments = [...treatments(), treatmentRow(next, { base_fee: `${fee}.50` })];
      else if (chance(0.15)) row.removed_at = instant(clock.now());
      else row.base_fee = `${fee}.25`;
    }

    function bookingsMove(): void {
      const waiting = office.bookings.find(({ state }) => state === 'queued');
      if (waiting) office.move(waiting.ref, { state: 'booked', appointment_id: ledger.indexOf(waiting) + 1 });
    }

    function fault(): void {
      const on = chance(0.5) ? 'read' : 'write';
      const kind = (['status', 'reset-before', 'reset-after'] as const)[Math.floor(random() * 3)] ?? 'status';
      sandbox.control.fault({ on, kind, status: 503 });
    }

    async function tick(signal?: AbortSignal): Promise<void> {
      await clock.advance(12_000);
      try {
        await rig.converge(signal);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
      }
    }

    function clicks(): void {
      people.act(true);
      if (rush && chance(0.5)) people.act(true);
    }

    /** Kills the process during a write, or before it learns that a booking was taken, and starts it again. */
    async function tickAndDie(): Promise<void> {
      const dying = new AbortController();
      if (chance(0.3)) office.dieOnce();
      const isInTheWay = chance(0.5);
      sandbox.control.beforeWrite(() => {
        sandbox.control.beforeWrite(undefined);
        if (isInTheWay) {
          clicks();
          unseen += 1;
        }
        dying.abort(new Failure({ kind: 'transient', message: 'The process was killed.' }));
      });
      await tick(dying.signal);
      sandbox.control.beforeWrite(undefined);
      kills += 1;
      rig = await open();
    }

    async function calm(ticks: number): Promise<void> {
      sandbox.control.clearFaults();
      sandbox.control.bin(false);
      sandbox.control.beforeWrite(undefined);
      for (let i = 0; i < ticks; i += 1) await tick();
    }

    for (let i = 0; i < 4; i += 1) clinicMoves();
    await calm(2);
    if (worn) {
      for (const row of treatments().slice(0, 1)) row.treatment_name = '=HYPERLINK("https://x.example")';
      wear(sandbox);
      people.forget();
    }
    for (let step = 0; step < steps; step += 1) {
      if (chance(0.3)) clinicMoves();
      if (chance(0.4)) bookingsMove();
      figures?.move();
      for (let deeds = Math.floor(random() * 3); deeds > 0; deeds -= 1) people.act();
      if (chance(0.2)) fault();
      if (worn) sandbox.control.bin(chance(0.1));
      // One click in the moment between our reading and our writing.
      const click = () => {
        sandbox.control.beforeWrite(undefined);
        clicks();
      };
      sandbox.control.beforeWrite(chance(0.35) ? click : undefined);
      if (chance(rush ? KILLS_IN_A_RUSH : KILLS)) await tickAndDie();
      else await tick();
      people.finish();
      if (chance(0.03)) {
        // A disk is lost in a quiet moment; what people do afterwards they do to a daemon that knows nothing.
        await calm(3);
        wipes += 1;
        lives += 1;
        office = newDesk(ledger, () => instant(clock.now()));
        people.forget();
        rig = await open();
      }
    }
    await calm(2);
    // Everything is compared every five minutes; until then a changed cell may stand.
    await clock.advance(5 * 60_000);
    await calm(6);
    for (let i = 0; i < 20 && office.bookings.some(({ state }) => state === 'queued'); i += 1) bookingsMove();
    await calm(3);
    const writes = () => sandbox.control.calls.filter(({ call }) => call === 'write').length;
    const before = writes();
    await calm(3);
    const restless = writes() - before;
    const day = judge({ sandbox, mirror, ledger, people, restless, wipes, kills, unseen });
    return { ...day, wrong: day.wrong + (figures?.wrong(sandbox) ?? 0) };
  } finally {
    await sandbox.close();
  }
}

/** A table over Bookings, whose columns are all typed, and a filter that hides every row. */
function wear({ control: { userActions, tab } }: SheetsSandbox): void {
  userActions.convertToTable('Bookings', [...tab('Bookings').columns.keys()]);
  for (const title of ['Bookings', 'Treatments']) userActions.filter(title, 0, 'nothing');
}

interface Judged {
  sandbox: SheetsSandbox;
  mirror: SheetsMirror;
  ledger: readonly Booking[];
  people: People;
  restless: number;
  wipes: number;
  kills: number;
  unseen: number;
}

const contentOf = (one: Booking) => one.patient_phone ?? '';

function judge({ sandbox, mirror, ledger, people, ...counted }: Judged): ChaosResult {
  const counts = new Map<string, number>();
  for (const one of ledger) counts.set(contentOf(one), (counts.get(contentOf(one)) ?? 0) + 1);
  const doubles = [...counts].reduce(
    (sum, [content, count]) => sum + Math.max(0, count - 1 - (people.askedAgain.get(content) ?? 0)),
    0,
  );
  const isMeant = ({ patient_name, patient_phone }: Booking) =>
    people.isMeant(patient_name ?? '', patient_phone ?? '');
  return {
    bookings: ledger.length,
    doubles,
    unmeant: ledger.filter((one) => !isMeant(one)).length,
    wrong: wrongCells(sandbox, mirror) + wrongFigures(sandbox, mirror) + misplacedCells(sandbox),
    lost: people.lost(),
    silent: people.silent(),
    held: people.held(),
    ...counted,
  };
}

/** Compares the Treatments tab with the mirror through the marks of its columns, whatever became of names and order. */
function wrongCells(sandbox: SheetsSandbox, mirror: SheetsMirror): number {
  const grid = sandbox.control.book.grids.find(({ metadata }) =>
    metadata.some(({ metadataValue }) => metadataValue === 'tab:treatments'),
  );
  if (!grid) return 1;
  const at = (key: string) =>
    grid.columns.findIndex(({ metadata }) =>
      metadata.some((one) => one.metadataValue === `tab:treatments/col:${key}`),
    );
  const id = at('id');
  if (id < 0) return 0;
  let wrong = 0;
  for (const row of mirror.rows.treatments ?? []) {
    const found = grid.rows.filter((cells) => cells[id]?.value?.numberValue === row.treatment_id);
    if (found.length === 0) wrong += 1;
    const expected: [string, unknown][] = [
      ['name', row.treatment_name],
      ['fee', Number(row.base_fee)],
      ['minutes', row.duration_minutes],
      ['description', row.description],
      ['state', row.removed_at === null ? 'Active' : 'Removed'],
    ];
    for (const cells of found)
      for (const [key, value] of expected) {
        const column = at(key);
        if (column < 0) continue;
        const { numberValue, stringValue } = cells[column]?.value ?? {};
        if ((numberValue ?? stringValue) !== value) wrong += 1;
      }
  }
  return wrong;
}

/** Overview says how many treatments there are; what people did to its columns is respected. */
function wrongFigures(sandbox: SheetsSandbox, mirror: SheetsMirror): number {
  const { column, grid, value } = createEyes(sandbox);
  const [id, figure] = [column('overview', 'id'), column('overview', 'value')];
  if (id < 0 || figure < 0) return 0;
  const active = (mirror.rows.treatments ?? []).filter(({ removed_at }) => removed_at === null).length;
  const rows = (grid('overview')?.rows ?? []).flatMap((_, row) =>
    value('overview', row, id)?.stringValue === 'treatments'
      ? [value('overview', row, figure)?.numberValue]
      : [],
  );
  return rows.length === 0 ? 1 : rows.filter((shown) => shown !== active).length;
}
