import { bodyFaults } from './bodies.ts';
import { bookingFaults } from './booking.ts';
import { brokenFaults } from './broken.ts';
import { contentFaults } from './content.ts';
import { interruptFaults } from './interrupt.ts';
import { paceFaults } from './pace.ts';
import { redirectFaults, statusFaults } from './status.ts';
import { tokenFaults } from './tokens.ts';
import { variantFaults } from './variants.ts';

/** Every kind of fault, by its name in scripts. */
export const faultKinds = {
  ...interruptFaults,
  ...paceFaults,
  ...brokenFaults,
  ...statusFaults,
  ...redirectFaults,
  ...bodyFaults,
  ...bookingFaults,
  ...contentFaults,
  ...tokenFaults,
  ...variantFaults,
};
export type FaultName = keyof typeof faultKinds;
