import { describe, expect, it } from 'vitest';
import { pointsInSource } from '../support/crash-points/all-points.ts';
import { carePoints, restoredPoints, sendingPoints } from '../support/crash-points/booking-points.ts';
import { archivePoints, deliveryPoints, inboxPoints } from '../support/crash-points/connector-points.ts';
import { filePoints, writePoints } from '../support/crash-points/store-points.ts';

const scenarios = [
  ...sendingPoints,
  ...carePoints,
  ...restoredPoints,
  ...writePoints,
  ...filePoints,
  ...deliveryPoints,
  ...inboxPoints,
  ...archivePoints,
];

describe('the named crash points', () => {
  it('are each died at in a story, and no story waits for one that is gone', () => {
    const died = new Set(scenarios.flatMap(({ deaths }) => deaths.map(({ point }) => point)));

    expect([...died].sort()).toEqual(pointsInSource());
  });

  it('are many', () => {
    expect(pointsInSource().length).toBeGreaterThanOrEqual(30);
  });
});
