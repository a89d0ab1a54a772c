import type { HttpIntake, MirrorView } from '../../connector.ts';
import type { Clock } from '../../platform/clock.ts';

const VIEW_MS = 5_000;

/** Reuses a view for a few seconds only, because a clinic's name and currency may change at any poll. */
export function withLiveView(intake: HttpIntake, make: () => Promise<MirrorView>, clock: Clock): HttpIntake {
  let made: { view: Promise<MirrorView>; at: number } | undefined;
  let last: MirrorView | undefined;
  const view = (): Promise<MirrorView> => {
    const now = clock.monotonic();
    if (made === undefined || now - made.at > VIEW_MS) {
      made = { view: make(), at: now };
      made.view.then(
        (good) => {
          last = good;
        },
        () => {
          made = undefined;
        },
      );
    }
    return made.view;
  };
  const { visitors, framedBy, pageSources } = intake;
  return {
    ...(visitors && { visitors }),
    ...(framedBy && { framedBy }),
    ...(pageSources && { pageSources }),
    authorize: (request) => intake.authorize(request),
    receive: async (request) => intake.receive(request, await view()),
    ...(intake.accepted && { accepted: intake.accepted.bind(intake) }),
    ...(intake.probe && { probe: intake.probe.bind(intake) }),
    ...(intake.trouble && { trouble: intake.trouble.bind(intake) }),
    ...(intake.sample && { sample: intake.sample.bind(intake) }),
    // Above all while the database does not answer, a visitor's words must not be lost.
    ...(intake.again && {
      again: async (request, mirror, refused) =>
        intake.again?.(request, await view().catch(() => last ?? mirror), refused),
    }),
    ...(intake.phone && { phone: async () => intake.phone?.(await view()) }),
    ...(intake.page && { page: async (request) => intake.page?.(request, await view()) }),
  };
}
