import { wallClockAt } from '../../../src/domain/date-time.ts';
import { DAY } from '../../../src/platform/duration.ts';
import type { AppointmentState } from '../appointments.ts';
import type { Dentist, Organization, Website } from '../wire.ts';

const media = 'https://media.shapla-dental.example';

/** The clinic's time zone. */
const seedTimeZone = 'Asia/Dhaka';

/** `statistics`: figures from before the first appointment in the sandbox's own book. */
export const seedOrganization: Organization = {
  care_id: 214,
  name: 'Shapla Dental Care',
  short_name: 'Shapla',
  tooth_system: 'FDI',
  currency: 'BDT',
  currency_symbol: '৳',
  logo: `${media}/logo.svg`,
  address: 'House 27, Road 9/A, Dhanmondi',
  city: 'Dhaka',
  state: 'Dhaka',
  region: 'Dhaka Division',
  postal_code: '1209',
  country: 'Bangladesh',
  phone: '+880 2-5500-1234',
  email: 'hello@shapla-dental.example',
  website: 'https://shapla-dental.example',
  fax: null,
  established_date: '2009-02-21',
  statistics: { total_users: 14, total_patients: 3120, total_appointments: 5190, total_doctors: 0 },
};

const open = (from: string, to: string) => ({ open: from, close: to, is_closed: false });

export const seedWebsite: Website = {
  care_id: 214,
  clinic_name: 'Shapla Dental Care',
  theme_primary: '#0f766e',
  theme_secondary: '#f59e0b',
  theme_dark: '#134e4a',
  hero_title: 'Gentle dentistry in the heart of Dhanmondi',
  hero_subtitle: '<p>Six dentists, one <strong>calm</strong> place &amp; no waiting without a reason.</p>',
  hero_badge: 'Since 2009',
  hero_bg_image: `${media}/hero.webp`,
  stat_years: '17+',
  stat_support: '24/7',
  stat_success: '98%',
  about_title: 'A family practice that grew',
  about_description:
    '<p>Founded in 2009 by two classmates, Shapla Dental Care today has three ' +
    'surgeries, its own X-ray and a small laboratory.</p>',
  about_image: `${media}/about.webp`,
  contact_phone: '+880 2-5500-1234',
  contact_email: 'hello@shapla-dental.example',
  contact_address: 'House 27, Road 9/A, Dhanmondi, Dhaka 1209',
  whatsapp_number: '+8801710000214',
  map_url: 'https://maps.example/?q=23.7461,90.3742',
  opening_hours: {
    saturday: open('09:00', '21:00'),
    sunday: open('09:00', '21:00'),
    monday: open('09:00', '21:00'),
    tuesday: open('09:00', '21:00'),
    wednesday: open('09:00', '21:00'),
    thursday: open('09:00', '18:00'),
    friday: { open: '', close: '', is_closed: true },
  },
  team_members: [
    member('farhana', 'Dr. Farhana Yasmin Chowdhury', 'Clinical director'),
    member('aoife', 'Dr. Aoife O’Neil', 'Orthodontist'),
    member('rumana', 'Rumana Akter', 'Practice manager'),
  ],
  testimonials: [
    testimonial(
      'a',
      'Mahbub A.',
      'Patient since 2014',
      'My root canal did not hurt. I had not thought I would write that.',
    ),
    testimonial('b', 'Sadia K.', 'Mother of two', 'The children ask when they may go again.'),
    testimonial(
      'c',
      'Imran H.',
      'Patient',
      '“On time, every time” – and the bill is what they said it would be.',
    ),
  ],
  faqs: [
    {
      question: 'Do I need an appointment?',
      answer: 'Emergencies are seen the same day; for all else please book.',
    },
    { question: 'Can I pay in instalments?', answer: 'Yes, for implants and braces, over up to 12 months.' },
    { question: 'Is parking available?', answer: 'Four places in the yard behind the house.' },
  ],
  services: [
    service('preventive', 'Preventive care', 'Check-ups, scaling, fluoride', 'Recall by SMS, Child-friendly'),
    service(
      'restorative',
      'Restorative dentistry',
      'Fillings, root canals, crowns',
      'Rubber dam, Digital X-ray',
    ),
    service(
      'implants',
      'Implants',
      'Planning, surgery and crown in one house',
      '3D planning, 5-year guarantee',
    ),
    service('orthodontics', 'Orthodontics', 'Metal braces and clear aligners', 'Free first consultation'),
  ],
  cta_text: 'Book an appointment',
  appointment_title: 'Your visit',
  appointment_subtitle: 'We confirm by phone within one working hour.',
  about_label: 'About us',
  footer_description: 'Shapla Dental Care, Dhanmondi, Dhaka.',
  social_facebook: 'https://facebook.example/shapladental',
  social_instagram: 'https://instagram.example/shapladental',
  social_twitter: null,
  social_linkedin: null,
  section_labels: {
    services: 'What we do',
    team: 'Who we are',
    faq: 'Good to know',
    testimonials: 'What patients say',
  },
  seo_title: 'Dentist in Dhanmondi, Dhaka | Shapla Dental Care',
  seo_description: 'Root canals, implants, braces and family dentistry in Dhanmondi. Open six days a week.',
  seo_keywords: 'dentist dhanmondi, dental clinic dhaka, root canal, implants, braces',
};

function member(photo: string, name: string, role: string) {
  return {
    photo: `${media}/team/${photo}.webp`,
    name,
    role,
    linkedin: `https://linkedin.example/in/${photo}`,
  };
}

function testimonial(photo: string, name: string, role: string, comment: string) {
  return { photo: `${media}/patients/${photo}.webp`, name, role, comment };
}

function service(image: string, title: string, description: string, features: string) {
  return { image: `${media}/services/${image}.webp`, title, description, features };
}

/** Made-up people; days relative to the start of the sandbox's book. */
const visits: [day: number, time: string, name: string, phone: string, status: AppointmentState][] = [
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
  visits.map(([day, time, name, phone, status]) => ({
    name,
    phone,
    status,
    date: wallClockAt(now + day * DAY, seedTimeZone).date,
    time,
  }));

/** With a typographic apostrophe, ligature, diacritics and a Bengali name, because encodings break at names. */
const people: [id: number, name: string, specialty: string, degree: string, years: number, fee: string][] = [
  [1, 'Dr. Farhana Yasmin Chowdhury', 'Endodontics', 'BDS (DU), FCPS', 16, '1500.00'],
  [2, 'Dr. Tahmid Rahman', 'General Dentistry', 'BDS (DDC)', 7, '800.00'],
  [3, 'Dr. Aoife O’Neil', 'Orthodontics', 'BDentSc (Dublin), MOrth RCS', 12, '2000.00'],
  [5, 'Dr. Søren Kjærgaard', 'Oral & Maxillofacial Surgery', 'DDS (Aarhus), PhD', 21, '2500.00'],
  [6, 'ডা. নুসরাত জাহান', 'Paediatric Dentistry', 'BDS (CMC), DDS (BSMMU)', 9, '1200.00'],
  [8, 'Dr. Anaïs de la Peña-Gómez', 'Periodontics & Implants', 'DMD, MSc', 14, '2200.50'],
];

export const seedDentists: Dentist[] = people.map(([id, name, specialty, degree, years, fee]) => ({
  doctor_id: id,
  doctor_name: name,
  specialization: specialty,
  qualification: degree,
  experience_years: years,
  consultation_fee: fee,
  signature_image_url: `https://media.shapla-dental.example/signatures/${id}.png`,
}));
