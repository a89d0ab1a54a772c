import { describe } from 'vitest';
import { describeAccepting } from './accepting.ts';
import { describeAcceptingInGroups } from './accepting-in-groups.ts';
import { describeActivity } from './activity.ts';
import { describeAppointments } from './appointments.ts';
import { describeBookings } from './bookings.ts';
import { describeBookingsModel } from './bookings-model.ts';
import { describeCampaigns } from './campaigns.ts';
import { describeChangedVisits } from './changed-visits.ts';
import { describeDays } from './days.ts';
import { describeDeliveries } from './deliveries.ts';
import { describeErasure } from './erasure.ts';
import { describeIncidents } from './incidents.ts';
import { describeLeads } from './leads.ts';
import { describeLooking } from './looking.ts';
import { describeMirror } from './mirror.ts';
import { describePeople } from './people.ts';
import { describePulling } from './pulling.ts';
import { describeReplacing } from './replacing.ts';
import { describeResembling } from './resembling.ts';
import { describeRest } from './rest.ts';
import { describeRetention } from './retention.ts';
import type { OpenStore } from './samples.ts';
import { describeSearching } from './searching.ts';
import { describeSending } from './sending.ts';
import { describeUndo } from './undo.ts';

/** What every store promises, whatever database it is on, and however far away that is. */
export function describeStore(
  name: string,
  open: OpenStore,
  distance: 'function' | 'process' = 'function',
): void {
  describe(`a store on ${name}`, () => {
    describeMirror(open);
    describeAppointments(open);
    describeAccepting(open);
    describeResembling(open);
    describeReplacing(open);
    describeChangedVisits(open);
    describeAcceptingInGroups(open);
    describeCampaigns(open);
    describeSearching(open);
    describeSending(open);
    describeBookings(open);
    describeUndo(open);
    describeBookingsModel(open, distance);
    describePulling(open);
    describeDeliveries(open);
    describeErasure(open);
    describeRetention(open);
    describeActivity(open);
    describeIncidents(open);
    describeLeads(open);
    describeDays(open);
    describeLooking(open);
    describeRest(open);
    describePeople(open);
  });
}
