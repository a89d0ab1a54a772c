import type { FastifyRequest } from 'fastify';
import type { Refusal } from '../answers.ts';
import { type Access, fromThisSite, type Visitor } from './access.ts';

/** Signed-in browsers act only on forms of ours; another site can make them send, but not with our form's token. */
export type IsForged = (request: FastifyRequest, visitor: Visitor, formToken: string | undefined) => boolean;

export const formCheck =
  (access: Access, hostsOf: (request: FastifyRequest) => (string | undefined)[]): IsForged =>
  (request, visitor, formToken) =>
    visitor.formKey !== null &&
    (!fromThisSite(request.headers, hostsOf(request)) || !access.isFormToken(visitor, formToken ?? ''));

export const notOurForm: Refusal = {
  status: 403,
  message: 'This did not come from our own page',
  hint: 'Go back, reload the page and try again. Behind a proxy: it must pass the Host header on.',
};
