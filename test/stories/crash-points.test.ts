import { describe, expect, it } from 'vitest';
import { pointsInSource } from '../support/crash-points/all-points.ts';
import {
  always,
  describeEveryPoint,
  describeSamples,
  everyScenario,
} from '../support/crash-points/every-point.ts';

describe('the named crash points', () => {
  it('are each died at in a story, and no story waits for one that is gone', () => {
    const died = new Set(everyScenario.flatMap(({ deaths }) => deaths.map(({ point }) => point)));

    expect([...died].sort()).toEqual(pointsInSource());
  });

  it('are many', () => {
    expect(pointsInSource().length).toBeGreaterThanOrEqual(30);
  });
});

describe('every point', { tags: ['thorough'] }, () => describeEveryPoint('SIGKILL', always));
describeSamples();
