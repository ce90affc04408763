import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { CHUNK_TIMEOUT } from './constants.ts';
import { nextTask } from './task.ts';

/** A page's code did not come: the network failed, or a new version took the old files away. */
export class ChunkError extends Error {
  constructor(cause?: unknown) {
    super('Loading chunk failed', { cause });
    this.name = 'ChunkError';
  }
}

/** Waits for a lazily loaded module, at most `timeout` milliseconds. */
export async function loadChunk<T>(load: () => Promise<T>, timeout = CHUNK_TIMEOUT): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkError()), timeout);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (error) {
    throw error instanceof ChunkError ? error : new ChunkError(error);
  } finally {
    clearTimeout(timer);
  }
}

/** A route's page, loaded when it is first shown: `lazy: page(() => import('../home/pages/HomePage.tsx'))`. */
export const page = (load: () => Promise<{ default: ComponentType }>) => async () => {
  // The bundler asks for each file of a page by an element of its own, which would lengthen the start of the router.
  await nextTask();
  return { Component: (await loadChunk(load)).default };
};

/** A component that is loaded when it is first shown, for what most visits of a page do without; `named` tells it apart. */
export const later = <M, P>(
  load: () => Promise<M>,
  named: (module: M) => ComponentType<P>,
): LazyExoticComponent<ComponentType<P>> => lazy(async () => ({ default: named(await loadChunk(load)) }));
