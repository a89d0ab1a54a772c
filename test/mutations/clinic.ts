import type { MutationSet } from './mutation.ts';

const book = 'src/clinic/book.ts';
const outcome = 'src/clinic/booking-outcome.ts';
const transport = 'src/clinic/http/transport.ts';
const limiter = 'src/clinic/rate-limit/limiter.ts';
const learner = 'src/clinic/rate-limit/rate-learner.ts';
const token = 'src/clinic/http/tokens.ts';
const retryAfter = 'src/platform/network/retry-after.ts';
const memory = 'src/clinic/rate-limit/saved-limit.ts';
const calls = 'src/clinic/calls.ts';
const reachability = 'src/clinic/reachability.ts';

export const clinic: MutationSet = {
  module: 'clinic',
  tests: ['src/clinic', 'src/platform/network/retry-after.test.ts', 'test/conformance/clinic'],
  mutations: [
    {
      file: 'src/clinic/rate-limit/rate-learner.ts',
      find: ": { ...learner, phase: 'resuming', perMinute: learner.perMinute / 2, tokens: 0 };",
      replace: ': learner;',
      harm: 'two owners of a clinic call more in one window than it allows',
    },
    {
      file: 'src/clinic/rate-limit/rate-learner.ts',
      find: "  if (learner.phase === 'resuming')\n    return",
      replace: "  if (learner.phase === 'never' as string)\n    return",
      harm: 'the calls of a former owner make the ceiling lower',
    },
    {
      file: reachability,
      find: 'if (tellEnough || !hasRoom(limit)) return false;',
      replace: 'if (tellEnough) return false;',
      harm: 'calls that only ask whether the clinic is up use up the limit that bookings need',
    },
    {
      file: reachability,
      find: 'return calls().failing !== null;',
      replace: 'return false;',
      harm: 'a dead server behind a proxy is noticed by the next poll only',
    },
    {
      file: book,
      find: 'if (mayStillSend()) return again;',
      replace: 'return again;',
      harm: 'a machine that was suspended sends what another daemon has taken over',
    },
    {
      file: book,
      find: 'const again = await leave(signal);',
      replace: "const again = await calls.leave('booking', signal);",
      harm: 'a booking goes to the other clinic that has refused the former token',
    },
    {
      file: book,
      find: "await identity?.confirm('booking', signal, forMs());",
      replace: '',
      harm: 'a server that has become another clinic is sent bookings',
    },
    {
      file: book,
      find: "if (isConfirmed()) return given;\n      given.turn.end('unused');",
      replace: 'return given;',
      harm: 'a server that becomes another clinic while a booking waits for the rate limit is sent it',
    },
    {
      file: book,
      find: 'if (isConfirmed()) return first;',
      replace: 'if (!signal.aborted) return first;',
      harm: 'a server that becomes another clinic while a booking is written down is sent it',
    },
    {
      file: book,
      find: 'await leaveOrOutcome(again, signal).catch(() => undefined)',
      replace: 'await leaveOrOutcome(again, signal)',
      harm: 'a booking that was surely not sent is unknown after a stop',
    },
    {
      file: book,
      find: "first.turn.end('unused');\n      throw error;",
      replace: 'throw error;',
      harm: 'a send that is called off keeps its slot for ever',
    },
    {
      file: book,
      find: 'await beforeSend();',
      replace: 'void beforeSend();',
      harm: 'the request leaves before the claim is durable',
    },
    {
      file: book,
      find: "if (error.kind === 'refused' && (status === 401 || status === 403))",
      replace: "if (error.kind === 'refused' && status === 418)",
      harm: 'wrong keys look like a network fault',
    },
    {
      file: outcome,
      find: "if (!broken.connected) return { class: 'never_sent'",
      replace: "if (broken.status === undefined) return { class: 'never_sent'",
      harm: 'a reset after the request was sent is sent again',
    },
    {
      file: outcome,
      find: 'new Set([401, 403, 404, 405, 407, 415, 429]);',
      replace: 'new Set([401, 403, 404, 405, 407, 415, 429, 503]);',
      harm: 'a 503 that may have booked is sent again',
    },
    {
      file: outcome,
      find: 'new Set([400, 409, 410, 413, 414, 422, 431]);',
      replace: 'new Set([400, 408, 409, 410, 413, 414, 422, 431]);',
      harm: 'a 408 that may have booked is shown as refused',
    },
    {
      file: outcome,
      find: '/^[1-9][0-9]*$/.test(given)',
      replace: '/^[0-9]+$/.test(given)',
      harm: 'a number that is none is linked',
    },
    {
      file: outcome,
      find: "return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;",
      replace: "return typeof id === 'number' ? id : undefined;",
      harm: 'appointment 0 is linked',
    },
    {
      file: transport,
      find: 'followRedirect: false,',
      replace: 'followRedirect: true,',
      harm: 'a booking follows a redirect to another address',
    },
    {
      file: transport,
      find: 'return (secure ? timings.secureConnect : timings.connect) !== undefined;',
      replace: 'return timings.connect !== undefined;',
      harm: 'a failed handshake leaves a booking unknown',
    },
    {
      file: transport,
      find: "if (bytes > call.mostBytes) return broken('too_long');",
      replace: '',
      harm: 'an endless answer fills the memory',
    },
    {
      file: limiter,
      find: 'rank[priority] - Math.floor((now - since) / PATIENCE_MS)',
      replace: 'rank[priority]',
      harm: 'lists starve behind status reads',
    },
    {
      file: limiter,
      find: 'booking: 0, awaited: 1,',
      replace: 'booking: 3, awaited: 1,',
      harm: 'bookings wait behind polls',
    },
    {
      file: limiter,
      find: 'awaited: 1, status: 2,',
      replace: 'awaited: 2, status: 1,',
      harm: 'what a booking waits for waits behind polls',
    },
    {
      file: 'src/clinic/rate-limit/rate-learner.ts',
      find: "priority === 'awaited' ? 0 :",
      replace: '',
      harm: 'a booking waits until polls have repaid the debt of others',
    },
    {
      file: limiter,
      find: "if (next.priority !== 'booking' && this.#inFlight >= MOST_IN_FLIGHT) return;",
      replace: '',
      harm: 'a slow clinic gets calls without end at once',
    },
    {
      file: limiter,
      find: 'if (isOver) return;\n        isOver = true;\n        this.#inFlight -= 1;',
      replace: 'this.#inFlight -= 1;',
      harm: 'a turn given back twice lifts the limit',
    },
    {
      file: learner,
      find: 'tokens: Math.max(learner.tokens - 1, -learner.perMinute),',
      replace: 'tokens: learner.tokens - 1,',
      harm: 'a flood of bookings silences the polls for an hour',
    },
    {
      file: learner,
      find: 'if (cooldown.isProbing) return { learner, waitMs: Number.POSITIVE_INFINITY, isProbe: false };',
      replace: '',
      harm: 'many calls test a block at once',
    },
    {
      file: learner,
      find: 'if (at < cooldown.until) return { learner, waitMs: cooldown.until - at, isProbe: false };',
      replace: '',
      harm: 'Retry-After of the clinic is ignored',
    },
    {
      file: learner,
      find: 'return { ...learner, cooldown: { ...cooldown, until: Math.max(cooldown.until, askedUntil) } };',
      replace: 'return { ...learner, cooldown };',
      harm: 'a longer Retry-After that comes second is ignored',
    },
    {
      file: retryAfter,
      find: "return capped(until - (httpDate(answer.date?.trim() ?? '') ?? answer.now), answer);",
      replace: 'return capped(until - answer.now, answer);',
      harm: 'a clock that differs from the clinic’s stretches every wait',
    },
    {
      file: memory,
      find: 'blockedMs > 0 && blockedMs <= LONGEST_RETRY_AFTER_MS',
      replace: 'blockedMs > 0',
      harm: 'a clock that was set makes a wait last for days',
    },
    {
      file: memory,
      find: 'return blockedMs > 0 && blockedMs <= LONGEST_RETRY_AFTER_MS',
      replace: 'return blockedMs < 0',
      harm: 'a restart forgets that the clinic asked to wait',
    },
    {
      file: token,
      find: 'granting ??= grantOnce();',
      replace: 'granting = grantOnce();',
      harm: 'each waiting call asks for a token of its own',
    },
    {
      file: token,
      find: '} else if (current !== undefined && clock.monotonic() < current.expiresAt) {',
      replace: '} else if (current === undefined) {',
      harm: 'a failed early renewal throws away a token that is still good',
    },
    {
      file: calls,
      find: 'if (tokens.isCurrent(token) && !signal.aborted) return { token, turn };',
      replace: 'if (!signal.aborted) return { token, turn };',
      harm: 'a call leaves with a token that expired while it waited',
    },
  ],
};
