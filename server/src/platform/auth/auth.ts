import { hash, randomBytes } from 'node:crypto';
import { AppError, isAmong, type People, type PersonAccess, type Role, type UserRef } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A person who signs in: the holder of an account, whose id is that of the account, or a colleague. */
export interface Person {
  id: string;
  username: string;
  name: string;
  access: PersonAccess;
}

/** The person of a row of `users`: only colleagues have a name and an access there. */
export const personOf = (row: {
  id: string;
  username: string;
  name?: string | null;
  access?: PersonAccess | null;
}): Person => ({
  id: row.id,
  username: row.username,
  name: row.name ?? row.username,
  access: row.access ?? 'holder',
});

/** A signed-in user: the account that a person acts for. */
export interface Viewer extends UserRef {
  kind: 'user';
  role: Role;
  superior: UserRef | null;
  person: Person;
  /** SHA-256 of the session token; of the new one, if the call renewed it. */
  tokenHash: Buffer;
}

/** A paired device. */
export interface Device {
  kind: 'device';
  id: string;
  /** SHA-256 of the device's own secret, in hexadecimal digits: many are kept, and a string is half of a buffer. */
  secretHash: string;
}

/** Finds the identity of a token; the session and device features provide it. */
export interface Identities {
  user(token: string): Promise<{ viewer: Viewer; renewed: IssuedToken | undefined }>;
  device(token: string): Promise<Device>;
  /** The device of a token, as far as this process knows it without asking. */
  cachedDevice(token: string): Device | undefined;
  /** Whether this is still the device of that secret. */
  stillPaired(device: Device): Promise<boolean>;
}

export interface IssuedToken {
  token: string;
  expiresInSeconds: number;
}

const TOKEN_BYTES = 32;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Tokens are random and long: one round of SHA-256 is enough to store them safely. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** The bearer token of an `Authorization` header (RFC 6750 §2.1), or undefined. */
export const bearerIn = (header = ''): string | undefined => /^Bearer +(\S{1,500})$/i.exec(header)?.[1];

/** The bearer token of a request, or undefined. */
export const bearerOf = ({ headers }: FastifyRequest): string | undefined => bearerIn(headers.authorization);

/** A device's token comes as the second WebSocket protocol where headers cannot be set. */
const protocolToken = (request: FastifyRequest): string | undefined =>
  request.headers['sec-websocket-protocol']?.split(',')[1]?.trim();

const headerJson = (user: UserRef): string =>
  encodeURIComponent(JSON.stringify({ id: user.id, username: user.username, phone: user.phone }));

export function sendToken(reply: FastifyReply, issued: IssuedToken): void {
  void reply.header('token', issued.token).header('expires_in', String(issued.expiresInSeconds));
}

const personJson = ({ id, username, name, access }: Person): string =>
  encodeURIComponent(JSON.stringify({ id, username, name, access }));

/** The headers that every authenticated reply carries. */
export function sendIdentity(
  reply: FastifyReply,
  viewer: Pick<Viewer, 'role' | 'superior' | 'person'> & UserRef,
): void {
  void reply.header('role', viewer.role).header('current', headerJson(viewer));
  void reply.header('person', personJson(viewer.person));
  if (viewer.superior) void reply.header('superior', headerJson(viewer.superior));
}

/** The callers that a route admits. */
export type Admission = { access: 'device' } | { access: 'user' | 'leading'; people: People };

/** The caller, if the route grants access; otherwise throws the error of the catalogue. */
export async function authenticate(
  admission: Admission,
  identities: Identities,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Viewer | Device> {
  const { access } = admission;
  const token = bearerOf(request) ?? (access === 'device' ? protocolToken(request) : undefined);
  if (!token) throw new AppError('UNAUTHENTICATED');
  if (admission.access === 'device') return identities.device(token);
  const { viewer, renewed } = await identities.user(token);
  if (renewed) sendToken(reply, renewed);
  sendIdentity(reply, viewer);
  if (access === 'leading' && viewer.role !== 'leading') throw new AppError('LEADING_ONLY');
  requirePerson(admission.people, viewer.person);
  return viewer;
}

/** @throws `READ_ONLY` or `HOLDER_ONLY` for a person who is not among these people */
export function requirePerson(people: People, { access }: Pick<Person, 'access'>): void {
  if (!isAmong(people, access)) throw new AppError(people === 'holder' ? 'HOLDER_ONLY' : 'READ_ONLY');
}
