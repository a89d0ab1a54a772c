import type { JsonObject } from '../../src/platform/json.ts';

/** A complete HTTP answer before it is sent. */
export interface SandboxAnswer {
  status: number;
  /** Lower-case names. Content-Length and Date are added when sent, unless given here. */
  headers: Record<string, string>;
  body: Buffer;
}

export const jsonAnswer = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): SandboxAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: Buffer.from(JSON.stringify(value)),
});

/** The error body of section 7. */
export const errorAnswer = (
  status: number,
  error_code: string,
  message: string,
  headers: Record<string, string> = {},
): SandboxAnswer => jsonAnswer(status, { success: false, message, error_code }, headers);

export const htmlAnswer = (status: number, title: string): SandboxAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from(
    `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n` +
      `<body><center><h1>${title}</h1></center><hr><center>nginx</center></body></html>\n`,
  ),
});

/** The object in a JSON answer; undefined for any other body. */
export function jsonOf(answer: SandboxAnswer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(answer.body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The same answer with another JSON body. */
export const withJson = (answer: SandboxAnswer, value: unknown): SandboxAnswer => ({
  ...answer,
  body: Buffer.from(JSON.stringify(value)),
});

/** The same answer with another status or body, or with more headers. */
export const replaced = (
  answer: SandboxAnswer,
  given: {
    status?: number;
    headers?: Record<string, string> | undefined;
    body?: Buffer | string | undefined;
  },
): SandboxAnswer => ({
  status: given.status ?? answer.status,
  headers: { ...answer.headers, ...given.headers },
  body: given.body === undefined ? answer.body : Buffer.from(given.body),
});
