import { hash, verify } from '@node-rs/argon2';
import fastify from 'fastify';

/** Verifies one password, and does nothing else. */
const known = await hash('password-of-benches-1');
const app = fastify();
app.get('/', async () => ({ right: await verify(known, 'password-of-benches-1') }));
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
