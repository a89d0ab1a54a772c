import type { FastifyInstance } from 'fastify';
import type { AdminOperations } from '../admin.ts';

/** The OpenAPI document. It is the same for everyone, and is generated on first use. */
export function openApiRoute(app: FastifyInstance, admin: AdminOperations): void {
  let document: Promise<string> | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    document ??= import('../api/openapi.ts').then(({ openApi }) => JSON.stringify(openApi(admin)));
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(await document);
  });
}
