import { hash } from 'node:crypto';

/** Hashes of a phone number as advertising platforms compare them; null unless it is in E.164. */
interface HashedPhone {
  /** Of `+8801712345678`, for Google and Microsoft. */
  phone_sha256: string | null;
  /** Of the digits alone, for Meta. */
  phone_digits_sha256: string | null;
}

export function hashedPhone(phone: unknown): HashedPhone {
  if (typeof phone !== 'string' || !/^\+[1-9]\d{4,14}$/.test(phone))
    return { phone_sha256: null, phone_digits_sha256: null };
  return { phone_sha256: hash('sha256', phone), phone_digits_sha256: hash('sha256', phone.slice(1)) };
}
