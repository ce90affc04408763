import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** The address people reach the web app at, without a slash at its end. */
export const webAddress = (config: Config, request: FastifyRequest): string =>
  config.publicUrl ?? `${request.protocol}://${request.host}`;
