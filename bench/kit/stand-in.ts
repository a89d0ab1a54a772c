import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * A minimal clinic that accepts every booking, so that only the sender is measured.
 *
 *     node stand-in.ts
 */
const booked: { name: string; date: string; time: string }[] = [];
const treatments = [
  { treatment_id: 1, treatment_name: 'Check-up', base_fee: '500.00', duration_minutes: 30 },
];
const dentists = [{ doctor_id: 2, doctor_name: 'Dr. Rahman', consultation_fee: '800.00' }];

function read(path: string): object {
  if (path.endsWith('/organization'))
    return { data: { care_id: 1, name: 'Stand-in', statistics: { total_appointments: booked.length } } };
  if (path.endsWith('/website')) return { site: { care_id: 1, clinic_name: 'Stand-in' } };
  if (path.endsWith('/treatments')) return { data: treatments };
  if (path.endsWith('/dentists')) return { data: dentists };
  const { name, date, time } = booked[Number(path.split('/').at(-1)) - 1] ?? {};
  return { message: 'Here it is', data: { status: 'Scheduled', name, date, time } };
}

async function book(request: IncomingMessage): Promise<object> {
  const lead = (await json(request)) as Record<string, string>;
  const { patient_name = '', appointment_date = '', appointment_time = '' } = lead;
  booked.push({ name: patient_name, date: appointment_date, time: appointment_time });
  return { message: 'Booked', data: { appointment_id: booked.length } };
}

const server = createServer(async (request, response) => {
  const { method, url = '' } = request;
  response.setHeader('content-type', 'application/json');
  if (url.endsWith('/granttoken')) response.end('{"access_token":"token","expires_in":3600}');
  else
    response.end(JSON.stringify({ success: true, ...(method === 'POST' ? await book(request) : read(url)) }));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`"port":${address.port}\n`);
});
