import type * as z from 'zod';
import { refusal } from './schema.ts';

export interface Answer {
  description: string;
  /** Of `application/json`; several: one of them. */
  json?: z.ZodType | readonly z.ZodType[];
  /** For people, or for programs that do not read JSON: media types of text. */
  text?: readonly string[];
}

/** What a route is asked, and what it answers. Refusals (401, 403 …) follow from the least role of the path. */
export interface Operation {
  summary: string;
  tag: 'health' | 'status' | 'bookings' | 'intake' | 'people' | 'actions';
  /** Text parameters of the query, with what they mean. */
  query?: Record<string, string>;
  /** Sent as JSON or as a form. */
  body?: z.ZodObject;
  /** Answers of its own, by status. */
  answers: Record<number, Answer>;
}

const PAGE = ['text/html'];

/** JSON for programs, the page for browsers. */
export const pageOrJson = (description: string, ...json: z.ZodType[]): Record<number, Answer> => ({
  200: { description, json, text: PAGE },
});

export const page = (description: string): Answer => ({ description, text: PAGE });

/** A refusal: JSON for programs, a small page for people. */
export const refused = (description: string): Answer => ({ description, json: refusal, text: PAGE });

export const backToPage: Answer = { description: 'A browser is sent back to its page' };

export const after = (what: string) => ({ after: `The page that follows this ${what}` });
