import { readFile, writeFile } from 'node:fs/promises';
import type { FaultName } from '../../../sandbox/clinic/faults/catalog.ts';
import type { Story } from '../daemon/clinic-story.ts';
import { until } from '../until.ts';
import { down, dying, each, type Scenario, submitLead, up } from './scenario.ts';

const onBooking = (story: Story, kind: FaultName) =>
  story.sandbox.control.script({ match: { endpoint: 'book' }, fault: { kind } });

/** A lead of the source whose every booking a person releases. */
async function heldLead(story: Story): Promise<string> {
  const { body } = await story.ask('/in/counter', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${story.formToken}` },
    body: JSON.stringify(story.lead()),
  });
  if (body.state !== 'held') throw new Error(`it is ${body.state}`);
  return body.ref ?? '';
}

async function approveLead(story: Story): Promise<void> {
  await story.act(`/admin/bookings/${await heldLead(story)}/approve`);
}

/** Anything that the mirror notices makes the daemon look after its bookings. */
export function changeFee(story: Story): void {
  const [treatment] = story.sandbox.control.treatments();
  if (treatment === undefined) throw new Error('the sandbox has no treatments');
  const base_fee = `${(Number(treatment.base_fee) + 1).toFixed(2)}`;
  story.sandbox.control.editTreatment(treatment.treatment_id, { base_fee });
}

/** The clinic says "too many": what the lane then does outlives a restart. */
export async function waitAsTold(story: Story): Promise<void> {
  onBooking(story, 'status_429_zero');
  await submitLead(story);
}

/** A booked lead's number is looked up at the clinic when the daemon next looks after its bookings. */
export async function bookAndVerify(story: Story): Promise<void> {
  const answer = await submitLead(story);
  await story.untilBooking(answer?.body.ref ?? '', 'booked');
  changeFee(story);
}

/** Every point on a booking's way from the form to the clinic and back. */
export const sendingPoints: Scenario[] = [
  ...each(
    [
      'bookings.before_accept',
      'bookings.after_accept',
      'bookings.before_claim',
      'bookings.after_claim',
      'bookings.intent_durable',
      'bookings.after_send',
      'bookings.before_settle',
      'bookings.after_settle',
    ],
    submitLead,
  ),
  ...each(['bookings.before_decision', 'bookings.after_decision'], approveLead),
  {
    // After a refusal the clinic is asked first whether it answers at all.
    deaths: [
      dying('bookings.after_canary', async (story) => {
        onBooking(story, 'status_422');
        const refused = await submitLead(story);
        await story.untilBooking(refused?.body.ref ?? '', 'rejected');
        await submitLead(story);
      }),
    ],
  },
  {
    // Corrected while it waits for a token: what was claimed is no longer what is stored.
    deaths: [
      dying('bookings.after_take_back', async (story) => {
        const { control } = story.sandbox;
        control.script({ match: { endpoint: 'granttoken' }, fault: { kind: 'late_answer', ms: 1_500 } });
        control.revokeTokens();
        await until('a token is being waited for', () => control.faults().at(-1)?.struck === 1);
        const answer = await submitLead(story);
        await story.act(`/admin/bookings/${answer?.body.ref}/edit`, { note: 'call first' });
      }),
    ],
  },
  ...each(['bookings.lane_kept'], waitAsTold),
  {
    deaths: [
      dying('bookings.intent_durable', submitLead),
      dying('bookings.before_recovery'),
      dying('bookings.after_recovery'),
    ],
  },
];

/** Points that a booking passes without being sent. */
export const carePoints: Scenario[] = [
  ...['bookings.before_expiry', 'bookings.after_expiry'].map((point): Scenario => {
    let ref = '';
    return {
      deaths: [
        dying(point, undefined, async (story) => {
          await up(story);
          ref = await heldLead(story);
          await down(story);
          story.rewrite(
            "update bookings set appointment_date = '2020-01-06', received_at = '2020-01-01T09:00:00.000Z' where ref = @ref",
            { ref },
          );
        }),
      ],
      proves: async (story) => {
        await story.untilBooking(ref, 'expired');
      },
    };
  }),
  ...each(['bookings.after_status_read', 'bookings.after_verification'], bookAndVerify),
  foundAfterRefusal(),
  ...['bookings.after_probe', 'bookings.before_conclusion'].map((point): Scenario => {
    let ref = '';
    return {
      deaths: [
        dying(
          point,
          (story) => story.act(`/admin/bookings/${ref}/reconcile`),
          async (story) => {
            ref = await doubtOfYesterday(story);
          },
        ),
      ],
      proves: async (story) => {
        await story.act(`/admin/bookings/${ref}/reconcile`);
        await story.untilBooking(ref, 'booked');
      },
    };
  }),
];

/** What waits to be sent again is sent now: it would meet the fault that is meant for the next booking. */
async function nothingWaits(story: Story): Promise<void> {
  await down(story);
  story.rewrite("update bookings set not_before = null where state = 'queued'", {});
  await up(story);
  await until('nothing waits to be sent', async () => {
    await story.act('/admin/clinics/main/resume-lane');
    const waiting = await story.read((store) =>
      store.bookings.list({ states: ['received', 'queued', 'sending'] }),
    );
    return waiting.length === 0;
  });
}

/** The clinic committed a booking and refused it; a person releases it again. */
function foundAfterRefusal(): Scenario {
  let ref = '';
  return {
    deaths: [
      dying(
        'bookings.found_after_refusal',
        (story) => story.act(`/admin/bookings/${ref}/approve`),
        async (story) => {
          await nothingWaits(story);
          const before = await submitLead(story);
          await story.untilBooking(before?.body.ref ?? '', 'booked');
          onBooking(story, 'success_false_after_commit');
          ref = (await submitLead(story))?.body.ref ?? '';
          await story.untilBooking(ref, 'rejected');
        },
      ),
    ],
    proves: async (story) => {
      await story.untilBooking(ref, 'unknown');
    },
  };
}

/** One that the clinic carried out without saying so, between two that it confirmed, long enough ago to be looked for. */
async function doubtOfYesterday(story: Story): Promise<string> {
  await nothingWaits(story);
  const booked = async () => {
    const answer = await submitLead(story);
    await story.untilBooking(answer?.body.ref ?? '', 'booked');
  };
  await booked();
  onBooking(story, 'reset_after_commit');
  const ref = (await submitLead(story))?.body.ref ?? '';
  await story.untilBooking(ref, 'unknown');
  await booked();
  await down(story);
  const statement =
    "update bookings set changed_at = @at, evidence = json_set(evidence, '$.sent_at', @at) where ref = @ref";
  story.rewrite(statement, { ref, at: new Date(Date.now() - 86_400_000).toISOString() });
  return ref;
}

/** An older database is recognised by the marker beside it; that must not be forgotten by dying in between. */
export const restoredPoints: Scenario[] = ['store.start.after-commit', 'bookings.restored_paused'].map(
  (point): Scenario => ({
    deaths: [
      dying(point, undefined, async (story) => {
        await down(story);
        const marker = `${story.database}.marker`;
        const known = JSON.parse(await readFile(marker, 'utf8')) as { epoch: number };
        await writeFile(marker, JSON.stringify({ ...known, epoch: known.epoch + 5 }));
      }),
    ],
    wakesTo: async (story) => {
      await until('bookings wait for a person', async () => {
        const [clinic] = (await story.status()).clinics;
        return clinic?.lane.state === 'paused' && clinic.lane.reason?.includes('older copy');
      });
      await story.act('/admin/clinics/main/resume-lane');
    },
  }),
);

/** A volume that was put back whole is recognised by the clinic's counter; nor must that be forgotten. */
export const unattendedPoints: Scenario[] = [
  'bookings.doubt_kept',
  'bookings.unattended_paused',
  'bookings.unattended_held',
].map(
  (point): Scenario => ({
    deaths: [
      dying(point, undefined, async (story) => {
        await up(story);
        onBooking(story, 'status_429_zero');
        const ref = (await submitLead(story))?.body.ref ?? '';
        await until('it was sent in vain and waits', async () => {
          const booking = await story.booking(ref);
          return booking?.state === 'queued' && booking.attempt > 0;
        });
        await down(story);
        const at = new Date(Date.now() - 86_400_000).toISOString();
        story.rewrite('update identity set checked_at = @at', { at });
        story.rewrite("update bookings set changed_at = @at where state = 'queued'", { at });
        story.rewrite('delete from organization_statistics', {});
        story.rewrite("delete from memory where key = 'counter:main'", {});
      }),
    ],
    wakesTo: async (story) => {
      await until('what waited is held', async () => {
        const held = await story.read((store) => store.bookings.list({ states: ['held'] }));
        const asked = await story.read((store) => store.keyValue.get('bookings', 'unattended:main'));
        return asked === undefined && held.some(({ reason }) => reason === 'restored_state');
      });
      await story.act('/admin/clinics/main/resume-lane');
    },
  }),
);
