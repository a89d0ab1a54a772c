import { hash } from 'node:crypto';

/**
 * The SHA-256 of a person's token, in memory only. A slow hash would let strangers burn processor time with wrong tokens,
 * and protects only stored hashes; a token has at least 16 characters.
 */
export type TokenKey = string;

export const tokenKey = (token: string): TokenKey => hash('sha256', token, 'base64url');
