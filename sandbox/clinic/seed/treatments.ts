import type { Treatment } from '../wire.ts';

/** Fees in taka; the last treatment is retired and must never be listed. */
const rows: [id: number, name: string, description: string, fee: string, minutes: number, image: string][] = [
  [
    1,
    'Consultation & Check-up',
    'Full examination with charting and a written treatment plan.',
    '800.00',
    20,
    'checkup',
  ],
  [
    2,
    'Scaling & Polishing',
    'Removal of tartar above and below the gum line, then polishing.',
    '2500.00',
    40,
    'scaling',
  ],
  [
    3,
    'Digital X-ray (OPG)',
    'Panoramic X-ray of both jaws; the image is handed over on request.',
    '1200.00',
    15,
    'opg',
  ],
  [
    5,
    'Composite Filling',
    'Tooth-coloured filling of one surface, including local anaesthesia.',
    '3000.00',
    45,
    'filling',
  ],
  [
    6,
    'Root Canal Treatment – Anterior',
    'Cleaning and sealing of the root canal of a front tooth.',
    '7500.00',
    60,
    'rct-anterior',
  ],
  [
    7,
    'Root Canal Treatment – Molar',
    'Three to four canals, usually in two visits.',
    '12000.00',
    90,
    'rct-molar',
  ],
  [8, 'Zirconia Crown', 'Milled crown with five years’ guarantee; two visits.', '18500.00', 60, 'zirconia'],
  [9, 'PFM Crown', 'Porcelain fused to metal; two visits.', '9500.00', 60, 'pfm'],
  [11, 'Tooth Extraction', 'Simple extraction under local anaesthesia.', '2000.00', 30, 'extraction'],
  [
    12,
    'Surgical Wisdom Tooth Removal',
    'Impacted third molar, with sutures and one follow-up.',
    '10000.00',
    75,
    'wisdom',
  ],
  [
    14,
    'Dental Implant (single)',
    'Titanium implant with healing abutment, crown not included.',
    '65000.00',
    90,
    'implant',
  ],
  [
    15,
    'Teeth Whitening',
    'In-chair whitening with gingival protection, one session.',
    '14000.00',
    60,
    'whitening',
  ],
  [
    17,
    'Metal Braces (full course)',
    'Both arches, 18 to 24 months; monthly visits included.',
    '75000.00',
    60,
    'braces',
  ],
  [
    18,
    'Paediatric Fluoride Varnish',
    'For children from three years on, no drilling.',
    '1500.50',
    20,
    'fluoride',
  ],
];

const treatment = ([id, name, description, fee, minutes, image]: (typeof rows)[number]): Treatment => ({
  treatment_id: id,
  treatment_name: name,
  description,
  base_fee: fee,
  duration_minutes: minutes,
  image_url: `https://media.shapla-dental.example/treatments/${image}.webp`,
});

export const seedTreatments: { active: boolean; fields: Treatment }[] = [
  ...rows.map((row) => ({ active: true, fields: treatment(row) })),
  {
    active: false,
    fields: treatment([4, 'Amalgam Filling', 'No longer offered.', '1800.00', 30, 'amalgam']),
  },
];
