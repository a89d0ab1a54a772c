import type * as z from 'zod';
import { refusalSchema } from './api-schemas.ts';

export interface AnswerSchema {
  description: string;
  /** Body of `application/json`; of several, one. */
  json?: z.ZodType | readonly z.ZodType[];
  /** Media types of text bodies, for people or for programs that do not read JSON. */
  text?: readonly string[];
}

/** Parameters and answers of a route. Refusals (401, 403 …) follow from the lowest role of the path. */
export interface Operation {
  summary: string;
  tag: 'health' | 'status' | 'bookings' | 'intake' | 'people' | 'actions';
  /** Text parameters of the query, with descriptions. */
  query?: Record<string, string>;
  /** Sent as JSON or as a form. */
  body?: z.ZodObject;
  /** The route's own answers, by status. */
  answers: Record<number, AnswerSchema>;
}

const PAGE = ['text/html'];

/** JSON for programs, the page for browsers. */
export const pageOrJson = (description: string, ...json: z.ZodType[]): Record<number, AnswerSchema> => ({
  200: { description, json, text: PAGE },
});

export const page = (description: string): AnswerSchema => ({ description, text: PAGE });

/** A refusal: JSON for programs, a small page for people. */
export const refusedAnswer = (description: string): AnswerSchema => ({
  description,
  json: refusalSchema,
  text: PAGE,
});

export const backToPage: AnswerSchema = { description: 'A browser is sent back to its page' };

export const afterOperation = (what: string) => ({ after: `The page that follows this ${what}` });
