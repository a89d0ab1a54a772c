import type { FastifyInstance } from 'fastify';

/** Links of our own pages; whatever people typed has its quotes escaped and cannot look like one. */
const LINKS = / (href|action|src)="\/(?!\/)/g;

/**
 * Behind a proxy that hands on only what is below a path (`https://ops.example/clinic-sync`), links and redirects get
 * that path in front of theirs. Pages and routes know nothing of it.
 */
export function underPublicPath(app: FastifyInstance, publicUrl: URL | undefined): void {
  const path = (publicUrl?.pathname ?? '/').replace(/\/$/, '');
  if (path === '') return;
  app.addHook('onSend', (_request, reply, payload, done) => {
    const location = reply.getHeader('location');
    if (typeof location === 'string' && /^\/(?!\/)/.test(location)) reply.header('location', path + location);
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
    if (!isPage || typeof payload !== 'string') return done(null, payload);
    const page = payload.replace(LINKS, ` $1="${path}/`);
    reply.header('content-length', Buffer.byteLength(page));
    done(null, page);
  });
}
