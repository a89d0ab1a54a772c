import type { Story } from '../daemon/clinic-story.ts';

/** One death at one named point. */
export interface Death {
  point: string;
  /** Before the daemon is started for it; may use one, and leaves none. */
  prepare?: (story: Story) => Promise<unknown>;
  /**
   * Makes the daemon, at rest and armed, pass the point; done again until it has died. Without `act` and `command` it
   * passes on its own while it starts.
   */
  act?: (story: Story) => Promise<unknown>;
  /** A command beside the daemon dies, not the daemon. Done once more afterwards, it must succeed. */
  command?: (story: Story) => readonly string[];
  /** The command does its work while no daemon runs. */
  stopped?: true;
}

/** Deaths one after the other, and what must be true when the daemon then lives on, beside what must always be. */
export interface Scenario {
  deaths: readonly Death[];
  /** What the daemon must wake up to, before anything else is asked of it. */
  wakesTo?: (story: Story) => Promise<void>;
  proves?: (story: Story) => Promise<void>;
}

export const dying = (point: string, act?: Death['act'], prepare?: Death['prepare']): Death => ({
  point,
  ...(act && { act }),
  ...(prepare && { prepare }),
});

/** The same cause for several points, each with a life of its own. */
export const each = (points: readonly string[], act: Death['act']): Scenario[] =>
  points.map((point) => ({ deaths: [dying(point, act)] }));

export const submitLead = (story: Story) => story.submit(story.lead());

/** kill -9 between two deaths. */
export async function down(story: Story): Promise<void> {
  if (story.isRunning) await story.daemon.kill();
}

export async function up(story: Story): Promise<void> {
  if (!story.isRunning) await story.start();
}
