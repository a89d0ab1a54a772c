import type { IntakeRefusal } from '../../connector.ts';

/** Refusals of submissions at `/in/`. */
export const compressed: IntakeRefusal = {
  kind: 'refused',
  status: 415,
  message: 'The body is compressed',
  hint: 'Send it as it is.',
};

export const preflight = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-max-age': '600',
};

export const noBooking = {
  status: 404,
  message: 'This connector has no such booking',
  hint: 'Check the reference.',
};

export const noConnector = {
  status: 404,
  message: 'No connector of that name takes bookings here',
  hint: 'The address is /in/ and the connector’s name in the configuration.',
};

export const noRoom = {
  status: 503,
  message: 'There is no room to store the booking',
  hint: 'Send it again later; its operator has to free some disk space.',
  retryAfter: 60,
};

export const noStore = {
  status: 503,
  message: 'The booking could not be stored',
  hint: 'Send it again later; its operator has to repair its database.',
  retryAfter: 60,
};

export const notStored = {
  status: 503,
  message: 'The booking could not be stored',
  hint: 'Send it again in a few seconds.',
  retryAfter: 5,
};

export const restarting = {
  status: 503,
  message: 'clinic-sync is restarting',
  hint: 'Send it again in a few seconds.',
  retryAfter: 10,
};
