import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Story } from '../daemon/clinic-story.ts';
import { until } from '../until.ts';
import { down, dying, each, type Scenario, submitLead } from './scenario.ts';
import { settleDoubts } from './settle-doubts.ts';

/** Points between the change log and the receivers. */
export const deliveryPoints: Scenario[] = each(
  [
    'deliveries.read',
    'deliveries.enqueued',
    'deliveries.before-send',
    'deliveries.before-settle',
    'deliveries.settled',
    'deliveries.before-converge',
    'csv.export.changes',
    'csv.export.table',
    'csv.export.manifest',
    'deliveries.converged',
    'deliveries.cursor-moved',
  ],
  submitLead,
);

const LEADS = 3;

async function drop(story: Story, name: string, text: string): Promise<void> {
  await down(story);
  await mkdir(join(story.folder, 'inbox'), { recursive: true });
  await writeFile(join(story.folder, 'inbox', name), text);
}

function leadsFile(story: Story): string {
  const columns = ['patient_name', 'patient_phone', 'appointment_date', 'appointment_time'];
  const rows = Array.from({ length: LEADS }, () => {
    const lead = story.lead();
    return columns.map((column) => lead[column]).join(',');
  });
  return `${[columns.join(','), ...rows].join('\n')}\n`;
}

/** One file that is interrupted at every step of its way is booked once. */
export const inboxPoints: Scenario[] = [
  {
    deaths: [
      dying('csv.inbox.claimed', undefined, (story) => drop(story, 'leads.csv', leadsFile(story))),
      dying('csv.inbox.named'),
      dying('csv.inbox.accepted'),
      dying('csv.inbox.recorded'),
      dying('csv.inbox.results'),
      dying('csv.inbox.done'),
    ],
    proves: async (story) => {
      // The next row may have been on the wire when it died over this one.
      await settleDoubts(story);
      const results = join(story.folder, 'inbox', 'results', 'leads.results.csv');
      await until(
        'the results say that every row is booked',
        async () => {
          const [, ...rows] = (await readFile(results, 'utf8')).trim().split('\n');
          return rows.length === LEADS && rows.every((row) => row.includes(',"booked",'));
        },
        { found: () => readFile(results, 'utf8') },
      );
    },
  },
  {
    deaths: [
      dying('csv.inbox.refused', undefined, (story) => drop(story, 'notes.csv', 'what,is,this\n1,2,3\n')),
    ],
    proves: async ({ folder }) => {
      const failed = join(folder, 'inbox', 'failed');
      await until('the file lies in failed/ beside the reason', async () => {
        await access(join(failed, 'notes.csv'));
        await access(join(failed, 'notes.error.txt'));
        return true;
      });
    },
  },
];

/** The first look of a month keeps the tables of the last one. */
export const archivePoints: Scenario[] = [
  {
    deaths: [
      dying('csv.archive.built', undefined, async (story) => {
        await down(story);
        story.rewrite('update treatments_things set first_seen_at = @at', { at: '2020-01-01T00:00:00.000Z' });
      }),
    ],
    proves: async ({ folder }) => {
      const month = join(folder, 'csv', 'main', 'archive', lastMonth());
      await until('the month is kept whole', async () => {
        const manifest = await readFile(join(month, 'manifest.json'), 'utf8');
        return manifest.includes('treatments.csv');
      });
    },
  },
];

/** On the clinic's wall clock, six hours ahead. */
function lastMonth(): string {
  const today = new Date(Date.now() + 6 * 3_600_000);
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 0)).toISOString().slice(0, 7);
}
