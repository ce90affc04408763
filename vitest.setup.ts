import { vi } from 'vitest';
import { PATIENCE_MS } from './vitest.config.ts';

const { waitFor } = vi;

/** Vitest has a setting for the patience of `expect.poll`, and none for that of `vi.waitFor`. */
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options });
