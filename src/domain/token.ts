import { hash } from 'node:crypto';

/**
 * What is kept of a person's token: its SHA-256. A slow hash would let strangers keep the processor busy with wrong
 * tokens, and guards only a store of hashes; these stay in memory, and a token has at least 16 characters.
 */
export type TokenKey = string;

export const tokenKey = (token: string): TokenKey => hash('sha256', token, 'base64url');
