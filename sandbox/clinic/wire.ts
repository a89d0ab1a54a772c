import { z } from 'zod';

/**
 * The Clinic Practice API exactly as specified, for the sandbox's answers and for tests. Objects are loose: unspecified
 * fields are kept and never break anything; a specified field with the wrong type makes the answer invalid.
 */

/** "string or null"; some servers omit null fields. */
const nullableString = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
/** A decimal as a string (section 2); kept as sent, never converted to a number. */
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be a decimal in a string');
const count = z.number().int().nonnegative();

/** Section 2.1. */
export const AccessToken = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
});
export type AccessToken = z.infer<typeof AccessToken>;

const OrganizationStatistics = z.looseObject({
  total_users: count,
  total_patients: count,
  total_appointments: count,
  total_doctors: count,
});

/** Section 2.2. */
export const Organization = z.looseObject({
  care_id: z.number(),
  name: z.string(),
  short_name: z.string(),
  tooth_system: z.string(),
  currency: z.string(),
  currency_symbol: z.string(),
  logo: nullableString,
  address: z.string(),
  city: z.string(),
  state: z.string(),
  region: z.string(),
  postal_code: z.string(),
  country: z.string(),
  phone: z.string(),
  email: z.string(),
  website: z.string(),
  fax: nullableString,
  established_date: z.string(),
  statistics: OrganizationStatistics,
});
export type Organization = z.infer<typeof Organization>;

const OpeningHours = z.record(
  z.string(),
  z.looseObject({ open: z.string(), close: z.string(), is_closed: z.boolean() }),
);

/** Section 2.3. */
export const Website = z.looseObject({
  care_id: z.number(),
  clinic_name: z.string(),
  theme_primary: z.string(),
  theme_secondary: z.string(),
  theme_dark: z.string(),
  hero_title: z.string(),
  hero_subtitle: z.string(),
  hero_badge: z.string(),
  hero_bg_image: z.string(),
  stat_years: z.string(),
  stat_support: z.string(),
  stat_success: z.string(),
  about_title: z.string(),
  about_description: z.string(),
  about_image: z.string(),
  contact_phone: z.string(),
  contact_email: z.string(),
  contact_address: z.string(),
  whatsapp_number: z.string(),
  map_url: z.string(),
  opening_hours: OpeningHours,
  team_members: z.array(
    z.looseObject({ photo: z.string(), name: z.string(), role: z.string(), linkedin: z.string() }),
  ),
  testimonials: z.array(
    z.looseObject({ photo: z.string(), name: z.string(), role: z.string(), comment: z.string() }),
  ),
  faqs: z.array(z.looseObject({ question: z.string(), answer: z.string() })),
  services: z.array(
    z.looseObject({ image: z.string(), title: z.string(), description: z.string(), features: z.string() }),
  ),
  cta_text: z.string(),
  appointment_title: z.string(),
  appointment_subtitle: z.string(),
  about_label: z.string(),
  footer_description: z.string(),
  social_facebook: nullableString,
  social_instagram: nullableString,
  social_twitter: nullableString,
  social_linkedin: nullableString,
  section_labels: z.record(z.string(), z.string()),
  seo_title: z.string(),
  seo_description: z.string(),
  seo_keywords: z.string(),
});
export type Website = z.infer<typeof Website>;

/** Section 2.4. */
export const Treatment = z.looseObject({
  treatment_id: z.number().int(),
  treatment_name: z.string(),
  description: z.string(),
  base_fee: decimal,
  duration_minutes: z.number(),
  image_url: z.string(),
});
export type Treatment = z.infer<typeof Treatment>;

/** Section 2.5. */
export const Dentist = z.looseObject({
  doctor_id: z.number().int(),
  doctor_name: z.string(),
  specialization: z.string(),
  qualification: z.string(),
  experience_years: z.number(),
  consultation_fee: decimal,
  signature_image_url: z.string(),
});
export type Dentist = z.infer<typeof Dentist>;

/** Section 2.6: the status view of an appointment. */
export const SandboxStatus = z.looseObject({
  status: z.string().min(1),
  name: z.string(),
  date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be YYYY-MM-DD'),
  time: z.string().regex(/^\d{2}:\d{2}(:\d{2})?$/, 'must be HH:MM'),
});
export type SandboxStatus = z.infer<typeof SandboxStatus>;

/** Sections 4.2 to 4.8: the envelopes around the data. */
export const OrganizationAnswer = z.looseObject({ success: z.literal(true), data: Organization });
export const WebsiteAnswer = z.looseObject({ success: z.literal(true), site: Website });
export const TreatmentsAnswer = z.looseObject({ success: z.literal(true), data: z.array(Treatment) });
export const TreatmentAnswer = z.looseObject({ success: z.literal(true), data: Treatment });
export const DentistsAnswer = z.looseObject({ success: z.literal(true), data: z.array(Dentist) });
export const AppointmentStatusAnswer = z.looseObject({ success: z.literal(true), data: SandboxStatus });

/** Section 7. */
export const ErrorBody = z.looseObject({
  success: z.literal(false),
  message: z.string(),
  error_code: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
