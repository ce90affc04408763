import type { FastifyInstance } from 'fastify';

const REALM = 'Bearer realm="Advertising Management System"';

/** Every 401 names its scheme (RFC 9110 §15.5.2) and whether a token was refused (RFC 6750 §3). */
export function nameScheme(app: FastifyInstance): void {
  app.addHook('onSend', ({ headers }, reply, payload, done) => {
    if (reply.statusCode === 401) {
      const refused = headers.authorization === undefined ? '' : ', error="invalid_token"';
      void reply.header('www-authenticate', REALM + refused);
    }
    done(null, payload);
  });
}
