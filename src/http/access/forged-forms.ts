import type { FastifyRequest } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import { readFields } from '../fields.ts';
import { type Access, fromThisSite, type Visitor } from './access.ts';

/** Who acts, and the fields they sent. Throws `Failure` refused (403) for a form that another site made a browser send. */
export type OwnForm = (request: FastifyRequest) => { visitor: Visitor; fields: Record<string, string> };

interface FormCheck {
  access: Access;
  visitorOf: (request: FastifyRequest) => Visitor | undefined;
  hostsOf: (request: FastifyRequest) => (string | undefined)[];
}

export const formCheck =
  ({ access, visitorOf, hostsOf }: FormCheck): OwnForm =>
  (request) => {
    const visitor = visitorOf(request);
    if (visitor === undefined) throw notOurForm();
    const fields = readFields(request);
    const isProgram = visitor.formKey === null;
    const isOurs =
      isProgram ||
      (fromThisSite(request.headers, hostsOf(request)) &&
        access.isFormToken(visitor, fields.form_token ?? ''));
    if (!isOurs) throw notOurForm();
    return { visitor, fields };
  };

const notOurForm = () =>
  new Failure({
    kind: 'refused',
    status: 403,
    message: 'This did not come from our own page',
    hint: 'Go back, reload the page and try again. Behind a proxy: it must pass the Host header on.',
  });
