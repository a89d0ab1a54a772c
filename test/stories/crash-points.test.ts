import { describe, expect, it } from 'vitest';
import { pointsInSource } from '../support/crash-points/all-points.ts';
import { carePoints, restoredPoints, sendingPoints } from '../support/crash-points/booking-points.ts';
import { archivePoints, deliveryPoints, inboxPoints } from '../support/crash-points/connector-points.ts';
import { describeDeaths } from '../support/crash-points/describe-deaths.ts';
import { filePoints, writePoints } from '../support/crash-points/store-points.ts';

const booking = [...sendingPoints, ...carePoints, ...restoredPoints];
const writing = [...filePoints, ...writePoints];
const delivering = [...deliveryPoints, ...inboxPoints, ...archivePoints];

describe('the named crash points', () => {
  it('are each died at in a story, and no story waits for one that is gone', () => {
    const scenarios = [...booking, ...writing, ...delivering];
    const died = new Set(scenarios.flatMap(({ deaths }) => deaths.map(({ point }) => point)));

    expect([...died].sort()).toEqual(pointsInSource());
  });

  it('are many', () => {
    expect(pointsInSource().length).toBeGreaterThanOrEqual(30);
  });
});

describeDeaths('a daemon that dies while it books', booking, { name: 'booking' });

describeDeaths('a daemon that dies before or after a commit', writing, { name: 'writing' });

describeDeaths('a daemon that dies while it delivers', delivering, {
  name: 'delivering',
  files: { archive: 'monthly' },
});
