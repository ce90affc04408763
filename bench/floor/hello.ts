import fastify from 'fastify';

const app = fastify();
app.get('/', () => 'hello');
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
