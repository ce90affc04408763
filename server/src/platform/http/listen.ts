import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Address } from './listeners.ts';

/** A port that cannot be listened on; its message is for people. */
export class ListenError extends Error {}

/** Throws `ListenError` when nothing can listen at an address now. */
export const probeAddress = (address: Address): Promise<void> => explained(address, probe);

async function probe(address: Address): Promise<void> {
  const server = createServer().listen(address);
  await once(server, 'listening');
  await new Promise((resolve) => server.close(resolve));
}

/** Runs `open`. Throws `ListenError` with a message for people if it cannot listen. */
export async function explained<T>({ port, host }: Address, open: (address: Address) => Promise<T>): Promise<T> {
  try {
    return await open({ port, host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new ListenError(`Port ${port} on ${host} is taken; set PORT to another one`);
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EACCES') {
      throw new ListenError(`Cannot listen there: ${code}; set HOST and PORT to what this computer has`);
    }
    throw error;
  }
}
