import { UPLOAD_URL } from '@ams/contract';
import type { FastifyInstance } from 'fastify';

/** Longer than a bad mobile network needs for the largest form. */
export const BODY_WITHIN_MS = 120_000;

/**
 * Cuts off who sends a body byte by byte to keep a connection busy. Uploads may take as long as they like: those
 * who send them have said who they are.
 */
export function cutSlowSenders(app: FastifyInstance, withinMs = BODY_WITHIN_MS): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers } = request;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody && !request.url.startsWith(UPLOAD_URL)) {
      const cut = setTimeout(() => raw.complete || raw.socket.destroy(), withinMs).unref();
      raw.once('close', () => clearTimeout(cut));
    }
    done();
  });
}
