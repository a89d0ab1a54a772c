/**
 * Columns as data, so that types, statements and the test against the migrated database have one source.
 * `json` is JSON text; `any` is a number the specification does not call whole (SQLite keeps 30 as 30 and 2.5 as 2.5).
 */
export interface Column {
  type: 'TEXT' | 'INTEGER' | 'ANY';
  json: boolean;
  nullable: boolean;
  /** Given by the database: always, or when nothing is given. */
  generated: false | 'always' | 'default';
}

const given = { json: false, nullable: false, generated: false } as const;
export const text = { ...given, type: 'TEXT' } as const;
export const integer = { ...given, type: 'INTEGER' } as const;
export const json = { ...text, json: true } as const;
export const optional = {
  text: { ...text, nullable: true },
  integer: { ...integer, nullable: true },
  json: { ...json, nullable: true },
} as const;
export const any = { ...given, type: 'ANY', nullable: true } as const;
export const serial = { ...integer, generated: 'default' } as const;
export const computed = { ...text, nullable: true, generated: 'always' } as const;

/** Fields of mirrored things, by the API's names and in the specification's order. */
export const thingFields = {
  organization: {
    care_id: any,
    name: optional.text,
    short_name: optional.text,
    tooth_system: optional.text,
    currency: optional.text,
    currency_symbol: optional.text,
    logo: optional.text,
    address: optional.text,
    city: optional.text,
    state: optional.text,
    region: optional.text,
    postal_code: optional.text,
    country: optional.text,
    phone: optional.text,
    email: optional.text,
    website: optional.text,
    fax: optional.text,
    established_date: optional.text,
  },
  website: {
    care_id: any,
    clinic_name: optional.text,
    theme_primary: optional.text,
    theme_secondary: optional.text,
    theme_dark: optional.text,
    hero_title: optional.text,
    hero_subtitle: optional.text,
    hero_badge: optional.text,
    hero_bg_image: optional.text,
    stat_years: optional.text,
    stat_support: optional.text,
    stat_success: optional.text,
    about_title: optional.text,
    about_description: optional.text,
    about_image: optional.text,
    contact_phone: optional.text,
    contact_email: optional.text,
    contact_address: optional.text,
    whatsapp_number: optional.text,
    map_url: optional.text,
    opening_hours: optional.json,
    team_members: optional.json,
    testimonials: optional.json,
    faqs: optional.json,
    services: optional.json,
    cta_text: optional.text,
    appointment_title: optional.text,
    appointment_subtitle: optional.text,
    about_label: optional.text,
    footer_description: optional.text,
    social_facebook: optional.text,
    social_instagram: optional.text,
    social_twitter: optional.text,
    social_linkedin: optional.text,
    section_labels: optional.json,
    seo_title: optional.text,
    seo_description: optional.text,
    seo_keywords: optional.text,
  },
  treatments: {
    treatment_id: any,
    treatment_name: optional.text,
    description: optional.text,
    base_fee: optional.text,
    duration_minutes: any,
    image_url: optional.text,
  },
  dentists: {
    doctor_id: any,
    doctor_name: optional.text,
    specialization: optional.text,
    qualification: optional.text,
    experience_years: any,
    consultation_fee: optional.text,
    signature_image_url: optional.text,
  },
} as const;
