import { UPLOAD_URL } from '@ams/contract';
import type { FastifyInstance } from 'fastify';

/** Longer than a bad mobile network needs for the largest form. */
export const BODY_WITHIN_MS = 120_000;

/**
 * Disconnects clients that send a body byte by byte to keep a connection busy. Uploads have no limit: their senders are
 * authenticated, and disconnected if they are refused (uploads.routes.ts).
 */
export function cutSlowSenders(app: FastifyInstance, withinMs = BODY_WITHIN_MS): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers } = request;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    const isUpload = request.routeOptions.url?.startsWith(UPLOAD_URL) ?? false;
    if (hasBody && !isUpload) {
      const cut = setTimeout(() => raw.complete || raw.destroy(), withinMs).unref();
      raw.once('close', () => clearTimeout(cut));
    }
    done();
  });
}
