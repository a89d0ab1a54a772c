import { mapHeaders } from '../../../connectors/csv/inbox/content/headers.ts';
import { readRow } from '../../../connectors/csv/inbox/content/row.ts';
import { readRows } from '../../../connectors/google-sheets/bookings/read-row.ts';
import { type BookingFields, readFields } from '../../../src/bookings/intake/read-fields.ts';
import type { Submission } from '../../../src/domain/bookings/booking.ts';
import { become, intakeRequest, openPreset } from '../forms/web-form.ts';

/** A lead as a person or a program writes it. */
export interface Sent {
  name?: string;
  phone?: string;
  date?: string;
  time?: string;
  dentist?: string;
  note?: string;
}

export const lead: Required<Sent> = {
  name: 'Ann Lee',
  phone: '+8801714445000',
  date: '2027-03-04',
  time: '10:30',
  dentist: '',
  note: '',
};

/** What is stored, and whether a person must look at it. */
export interface Stored {
  draft: BookingFields;
  isHeld: boolean;
}

const zone = 'Asia/Dhaka';

function stored({ fields, problems = [], ask }: Omit<Submission, 'source'>): Stored {
  const { draft, faults } = readFields(fields, { zone, isSent: true });
  return { draft, isHeld: faults.length > 0 || problems.length > 0 || ask !== undefined };
}

const own = ({ name, phone, date, time, dentist, note }: Sent) => ({
  ...{ patient_name: name, patient_phone: phone, appointment_date: date, appointment_time: time },
  ...{ doctor: dentist, note },
});

/** Every way in which a lead arrives. */
export const doors: Readonly<Record<string, (sent: Sent) => Promise<Stored>>> = {
  native: async (sent) => stored(await become('native', JSON.stringify(own(sent)))),
  'form tool': async ({ name, phone, date, time, dentist, note }) =>
    stored(
      await become(
        'contact-form-7',
        JSON.stringify({
          ...{ 'your-name': name, 'your-tel': phone, 'your-date': date, 'your-time': time },
          ...{ Dentist: dentist, 'your-message': note },
        }),
      ),
    ),
  'served form': async (sent) => {
    const { intake } = await openPreset('html-form');
    const body = new URLSearchParams(own(sent) as Record<string, string>).toString();
    const result = await intake.sample(
      intakeRequest(body, { 'content-type': 'application/x-www-form-urlencoded' }),
    );
    if (result.kind !== 'submission') throw new Error(`The submission was ${result.kind}`);
    return stored(result.submission);
  },
  file: async (sent) => {
    const headers = Object.keys(sent);
    const { map, fault } = mapHeaders(headers, {});
    if (map === undefined) throw new Error(fault);
    const { fields, problems, question } = readRow(Object.values(sent), {
      ...{ headers, map, dateFormat: undefined },
    });
    return stored({ fields, problems, ...(question !== undefined && { ask: question }) });
  },
  sheet: async ({ name, ...sent }) => {
    const cells = { patient: name, ...sent };
    const columns = new Map(Object.keys(cells).map((key, index) => [key, index]));
    const [row] = readRows(
      {
        ...{ key: 'bookings', sheetId: 1, title: 'Bookings', rowCount: 2, frozenRowCount: 1 },
        ...{ columnCount: columns.size, columns, closed: [] },
        cells: [Object.values(cells).map((content) => content || null)],
      },
      ['main'],
    );
    const read = stored({ fields: row?.fields ?? {} });
    return { ...read, isHeld: read.isHeld || row?.faults.length !== 0 };
  },
};
