import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer to requests that the relay does not pass on. */
interface OwnAnswer {
  /** Which ones, by their paths and queries. */
  to: RegExp;
  status: number;
  headers?: OutgoingHttpHeaders;
  body?: string;
}

/** A way to an HTTP server, such as a proxy or a load balancer, that answers some requests itself. */
export interface HttpRelay {
  origin: string;
  own: OwnAnswer | undefined;
  /** Requests, by their methods, paths and sources of copies, that wait until `until` settles, and how many do. */
  held: { what: RegExp; until: Promise<unknown>; count: number } | undefined;
  /** How many requests it has answered itself. */
  answered: number;
  end(): void;
}

export async function startHttpRelay(behind: string): Promise<HttpRelay> {
  const { hostname, port } = new URL(behind);
  const server = createServer(async (asked, reply) => {
    const { method, url, headers } = asked;
    const { own } = relay;
    if (own?.to.test(url ?? '')) {
      relay.answered += 1;
      asked.resume().once('end', () => reply.writeHead(own.status, own.headers).end(own.body));
      return;
    }
    const { held } = relay;
    if (held?.what.test(`${method} ${url} ${String(headers['x-amz-copy-source'])}`)) {
      held.count += 1;
      await held.until;
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
  const address = server.address() as AddressInfo;
  const relay: HttpRelay = {
    origin: `http://127.0.0.1:${address.port}`,
    own: undefined,
    held: undefined,
    answered: 0,
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return relay;
}
