import type { Organization, Website } from '../wire.ts';

const media = 'https://media.shapla-dental.example';

/** The clinic's time zone. */
export const seedTimeZone = 'Asia/Dhaka';

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
