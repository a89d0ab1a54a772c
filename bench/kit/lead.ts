const DAY_MS = 86_400_000;
const startOfToday = Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** The JSON body of a lead: all are distinct, none is a duplicate, each is within the clinic's opening hours. */
export function lead(series: number, number: number, clinics = 1): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = new Date(startOfToday + (3 + (number % 300)) * DAY_MS);
  // The sandbox's practice is closed on Fridays.
  if (day.getUTCDay() === 5) day.setUTCDate(day.getUTCDate() + 1);
  return JSON.stringify({
    ...(clinics > 1 && { clinic: `clinic-${1 + (number % clinics)}` }),
    submission_id: `bench-${series}-${number}`,
    patient_name: `Visitor ${inLetters(series)} ${inLetters(number)}`,
    patient_phone: `+88017${String((series * 1_000_000 + number) % 100_000_000).padStart(8, '0')}`,
    address: 'House 12, Road 5, Dhanmondi, Dhaka',
    appointment_date: day.toISOString().slice(0, 10),
    appointment_time: `${two(10 + (number % 7))}:${two((number % 4) * 15)}`,
    doctor_id: 2,
    treatment_id: 1,
    note: 'Prefers the morning, first visit',
  });
}

/** Spells a number in letters: a text with many digits costs more, because it is searched for phone numbers. */
const inLetters = (number: number): string =>
  [...number.toString(26)].map((digit) => String.fromCharCode(65 + Number.parseInt(digit, 26))).join('');
