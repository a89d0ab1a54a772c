import type { ListPoll } from './resource.ts';

/** Type of a field. A record without `id`, `name` or `fee` cannot be read; all other fields are optional. */
export type FieldKind = 'id' | 'name' | 'fee' | 'text' | 'date' | 'number' | 'decimal' | 'json';

type Texts<N extends string> = Readonly<Record<N, 'text'>>;
const texts = <N extends string>(...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, 'text'])) as Texts<N>;

/**
 * The fields of the clinic's records, by the API's names and in the specification's order (2.2 to 2.5), id first. The
 * client reads them, and each is a column in the database and in exported files.
 */
export const recordFields = {
  organization: {
    care_id: 'id',
    name: 'name',
    ...texts('short_name', 'tooth_system', 'currency', 'currency_symbol', 'logo', 'address', 'city'),
    ...texts('state', 'region', 'postal_code', 'country', 'phone', 'email', 'website', 'fax'),
    established_date: 'date',
  },
  website: {
    care_id: 'id',
    clinic_name: 'name',
    ...texts('theme_primary', 'theme_secondary', 'theme_dark', 'hero_title', 'hero_subtitle', 'hero_badge'),
    ...texts('hero_bg_image', 'stat_years', 'stat_support', 'stat_success', 'about_title'),
    ...texts('about_description', 'about_image', 'contact_phone', 'contact_email', 'contact_address'),
    ...texts('whatsapp_number', 'map_url'),
    opening_hours: 'json',
    team_members: 'json',
    testimonials: 'json',
    faqs: 'json',
    services: 'json',
    ...texts('cta_text', 'appointment_title', 'appointment_subtitle', 'about_label', 'footer_description'),
    ...texts('social_facebook', 'social_instagram', 'social_twitter', 'social_linkedin'),
    section_labels: 'json',
    ...texts('seo_title', 'seo_description', 'seo_keywords'),
  },
  treatments: {
    treatment_id: 'id',
    treatment_name: 'name',
    description: 'text',
    base_fee: 'fee',
    duration_minutes: 'number',
    image_url: 'text',
  },
  dentists: {
    doctor_id: 'id',
    doctor_name: 'name',
    ...texts('specialization', 'qualification'),
    experience_years: 'number',
    consultation_fee: 'decimal',
    signature_image_url: 'text',
  },
} as const satisfies Record<ListPoll, Readonly<Record<string, FieldKind>>>;
