import fastify from 'fastify';
import pg from 'pg';

/** A bare route that runs a given statement and returns the rows. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
const { text, values } = JSON.parse(process.env['QUERY'] ?? '') as { text: string; values: unknown[] };
const app = fastify();
app.get('/', async () => ({ items: (await pool.query<object>(text, values)).rows }));
app.get('/prepared', async () => ({ items: (await pool.query<object>({ name: 'list', text, values })).rows }));
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
