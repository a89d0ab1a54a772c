import { hash } from 'node:crypto';

/** Hashes of a phone number as advertising platforms compare them; null for what is no number in E.164. */
export interface HashedPhone {
  /** Of `+8801712345678`, as Google and Microsoft take it. */
  phone_sha256: string | null;
  /** Of the digits alone, as Meta takes it. */
  phone_digits_sha256: string | null;
}

export function hashedPhone(phone: unknown): HashedPhone {
  if (typeof phone !== 'string' || !/^\+[1-9]\d{4,14}$/.test(phone))
    return { phone_sha256: null, phone_digits_sha256: null };
  return { phone_sha256: hash('sha256', phone), phone_digits_sha256: hash('sha256', phone.slice(1)) };
}
