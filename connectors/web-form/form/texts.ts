/** All texts of the form. `{clinic}` becomes the clinic's name. */
export const english = {
  title: 'Book an appointment',
  intro: 'Tell us when you would like to come. We will confirm your appointment.',
  about_you: 'About you',
  about_visit: 'Your visit',
  name: 'Full name',
  phone: 'Phone number',
  phone_hint: 'So that we can reach you about your appointment.',
  address: 'Address',
  date: 'Date',
  time: 'Time',
  treatment: 'Treatment',
  dentist: 'Dentist',
  no_preference: 'No preference',
  note: 'Anything we should know?',
  optional: '(optional)',
  hours: 'Opening hours',
  closed: 'closed',
  send: 'Send request',
  question: 'Questions? Call us:',
  trap: 'Leave this field empty',
  which_clinic: 'Which clinic would you like to visit?',
  error_title: 'Please check your request',
  error_prefix: 'Not sent yet',
  error_review: 'Is everything right? Then send it.',
  error_early: 'That was very quick. Please check your details and send them again.',
  error_late: 'This page was open for a long time. Please check your details and send them again.',
  error_name: 'Enter your name',
  error_phone: 'Enter a phone number',
  thanks_title: 'Thank you',
  thanks_text: 'Your request has arrived. The clinic will be in touch.',
  thanks_ref: 'Your reference:',
  thanks_again: 'Book another appointment',
} as const;

export type TextName = keyof typeof english;
export type Texts = Readonly<Record<TextName, string>>;
export const textNames = Object.keys(english) as TextName[];
