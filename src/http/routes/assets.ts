import type { FastifyInstance } from 'fastify';
import { assetOf } from '../../platform/text/asset.ts';
import { stylesheet } from '../pages/parts/stylesheet.ts';

const assets = {
  '/assets/status.css': { type: 'text/css', text: stylesheet },
  '/assets/desk.js': {
    type: 'text/javascript',
    text: assetOf(new URL('../pages/assets/desk.js', import.meta.url)),
  },
  '/assets/live.js': {
    type: 'text/javascript',
    text: assetOf(new URL('../pages/assets/live.js', import.meta.url)),
  },
};

export function assetRoute(app: FastifyInstance, path: keyof typeof assets): void {
  const { type, text } = assets[path];
  app.get(path, async (_request, reply) =>
    reply.type(`${type}; charset=utf-8`).header('cache-control', 'public, max-age=300').send(text),
  );
}
