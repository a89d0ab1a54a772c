import type { Sandbox } from '../../../sandbox/clinic/clinic.ts';
import type { FaultName } from '../../../sandbox/clinic/faults/catalog.ts';
import { between, pick, type Random } from '../../../sandbox/clinic/random.ts';
import type { Endpoint } from '../../../sandbox/clinic/routes.ts';

/**
 * What goes wrong with a booking. Left out: answers that lie about what was done (undetectable), and those that only
 * cost a minute of silence.
 */
const booking: FaultName[] = [
  'reset_after_headers',
  'reset_after_body',
  'close_after_body',
  'reset_after_commit',
  'close_after_commit',
  'restart_before_commit',
  'restart_after_commit',
  'late_answer',
  'cut_head',
  'cut_body',
  'cut_body_reset',
  'length_too_long',
  'bad_status_line',
  'garbage_bytes',
  'status_400',
  'status_401',
  'status_404',
  'status_408',
  'status_408_after_commit',
  'status_409',
  'status_422',
  'status_429_zero',
  'status_429_garbage',
  'status_500',
  'status_500_after_commit',
  'status_502_after_commit',
  'status_503',
  'status_504_after_commit',
  'redirect_303_after_commit',
  'redirect_307',
  'html_200',
  'empty_200',
  'half_json_200',
  'no_id',
  'id_string',
  'id_duplicate',
  'success_false',
  'success_missing',
  'token_revoked',
];

const reading: FaultName[] = [
  'reset_after_body',
  'cut_body',
  'status_429_zero',
  'status_500',
  'status_503',
  'html_200',
  'half_list',
  'empty_list',
  'missing_data',
  'wrong_types',
  'token_revoked',
];

const faultsOf: Partial<Record<Endpoint, FaultName[]>> = {
  book: booking,
  organization: reading,
  website: reading,
  treatments: reading,
  dentists: reading,
  status: reading,
  granttoken: ['reset_after_body', 'status_500', 'token_dies_early', 'late_answer'],
};

const REQUESTS_AHEAD = 300;

/**
 * Of the next requests to each endpoint, this share goes wrong; which and how is the seed's choice. At times only
 * bookings do: a clinic that cannot even be asked for a token is sent nothing that could go wrong. Half of the other
 * bookings take their time, so that a kill often comes in the middle of one.
 */
export function goWrong(sandbox: Sandbox, random: Random, share: number): void {
  const onlyBookings = random() < 0.6;
  for (const [endpoint, kinds] of Object.entries(faultsOf) as [Endpoint, FaultName[]][])
    for (let nth = 1; nth <= REQUESTS_AHEAD; nth += 1) {
      const struck = random() < share && (endpoint === 'book' || !onlyBookings);
      const kind = struck ? pick(random, kinds) : undefined;
      const slow = endpoint === 'book' && random() < 0.5;
      const ms = between(random, 10, 150);
      if (kind !== undefined) sandbox.control.script({ match: { endpoint }, nth, fault: { kind } });
      else if (slow) sandbox.control.script({ match: { endpoint }, nth, fault: { kind: 'late_answer', ms } });
    }
}
