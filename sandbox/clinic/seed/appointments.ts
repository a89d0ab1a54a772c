import { wallClockAt } from '../../../src/domain/date-time.ts';
import { DAY } from '../../../src/platform/duration.ts';
import type { AppointmentState } from '../appointments.ts';
import { seedTimeZone } from './practice.ts';

/** Made-up people; days relative to the start of the sandbox's book. */
const rows: [day: number, time: string, name: string, phone: string, status: AppointmentState][] = [
  [-9, '10:00', 'Kamal Hossain', '+8801711000001', 'Completed'],
  [-4, '11:30', 'Shirin Akhter', '+8801711000002', 'No show'],
  [-2, '17:15', 'Rafiq Uddin', '+8801711000003', 'Completed'],
  [-1, '09:30', 'Lena Baroi', '+8801711000004', 'Cancelled'],
  [1, '12:00', 'Tanvir Ahmed', '+8801711000005', 'Confirmed'],
  [2, '15:45', 'Moushumi D’Costa', '+8801711000006', 'Scheduled'],
  [5, '18:00', 'Jahanara Begum', '+8801711000007', 'Scheduled'],
  [12, '10:30', 'Arif Mahmud', '+8801711000008', 'Scheduled'],
];

export const seedAppointments = (now: number) =>
  rows.map(([day, time, name, phone, status]) => ({
    name,
    phone,
    status,
    date: wallClockAt(now + day * DAY, seedTimeZone).date,
    time,
  }));
