import type { FastifyInstance } from 'fastify';

/** Matches links in our pages, but not text that people typed, whose quotes are escaped. */
const LINKS = / (href|action|src)="\/(?!\/)/g;

/**
 * Prefixes links and redirects with the path of `public_url` (`https://ops.example/clinic-sync`), for a proxy that
 * forwards only that path. Pages and routes need not know it.
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
