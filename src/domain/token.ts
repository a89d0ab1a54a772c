import { hash } from 'node:crypto';

/**
 * The SHA-256 of a user's token, kept in memory only. A slow hash would let strangers burn CPU with wrong tokens and
 * only helps for stored hashes; tokens have at least 16 characters.
 */
export type TokenKey = string;

export const tokenKey = (token: string): TokenKey => hash('sha256', token, 'base64url');
