import type { Dentist } from '../wire.ts';

/** With a typographic apostrophe, ligature, diacritics and a Bengali name, because encodings break at names. */
const rows: [id: number, name: string, specialty: string, degree: string, years: number, fee: string][] = [
  [1, 'Dr. Farhana Yasmin Chowdhury', 'Endodontics', 'BDS (DU), FCPS', 16, '1500.00'],
  [2, 'Dr. Tahmid Rahman', 'General Dentistry', 'BDS (DDC)', 7, '800.00'],
  [3, 'Dr. Aoife O’Neil', 'Orthodontics', 'BDentSc (Dublin), MOrth RCS', 12, '2000.00'],
  [5, 'Dr. Søren Kjærgaard', 'Oral & Maxillofacial Surgery', 'DDS (Aarhus), PhD', 21, '2500.00'],
  [6, 'ডা. নুসরাত জাহান', 'Paediatric Dentistry', 'BDS (CMC), DDS (BSMMU)', 9, '1200.00'],
  [8, 'Dr. Anaïs de la Peña-Gómez', 'Periodontics & Implants', 'DMD, MSc', 14, '2200.50'],
];

export const seedDentists: Dentist[] = rows.map(([id, name, specialty, degree, years, fee]) => ({
  doctor_id: id,
  doctor_name: name,
  specialization: specialty,
  qualification: degree,
  experience_years: years,
  consultation_fee: fee,
  signature_image_url: `https://media.shapla-dental.example/signatures/${id}.png`,
}));
