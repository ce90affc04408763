import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A way to an S3 service that answers some requests with 500. */
export interface FaultyS3 {
  endpoint: string;
  /** Which requests fail, by their paths and queries. */
  fails: RegExp | undefined;
  end(): void;
}

export async function startFaultyS3(behind: string): Promise<FaultyS3> {
  const { hostname, port } = new URL(behind);
  const server = createServer((asked, reply) => {
    const { method, url, headers } = asked;
    if (faulty.fails?.test(url ?? '')) {
      asked.resume().once('end', () => reply.writeHead(500).end());
      return;
    }
    const passed = request({ hostname, port, method, path: url, headers, agent: false }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    // Swift adds a body to the answers of HEAD, which nobody reads.
    passed.on('error', () => reply.headersSent || reply.destroy());
    asked.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has such an address
  const own = server.address() as AddressInfo;
  const faulty: FaultyS3 = {
    endpoint: `http://127.0.0.1:${own.port}`,
    fails: undefined,
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return faulty;
}
