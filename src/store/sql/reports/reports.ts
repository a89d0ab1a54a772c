import { sql } from 'kysely';
import type { OpenAppointment, ReportVerbs } from '../../ports/reports.ts';
import type { Db } from '../database.ts';
import { tableIn } from '../dialects.ts';

export function reportVerbs(db: Db): ReportVerbs {
  return {
    async openAppointments(clinic) {
      const { rows } = await sql<OpenAppointment>`
        select a.clinic, a.appointment_id, a.ref, a.status, b.source, coalesce(d.doctor_name, b.doctor) as dentist,
          coalesce(b.booked_at, a.first_seen_at) as booked_at
        from ${tableIn(db, 'appointments')} a
        left join ${tableIn(db, 'bookings')} b on b.ref = a.ref
        left join ${tableIn(db, 'dentists_things')} d on d.clinic = a.clinic and d.id = cast(b.doctor_id as text)
        where a.clinic = ${clinic} and a.done = 0
        order by a.appointment_id
      `.execute(db);
      return rows;
    },
  };
}
