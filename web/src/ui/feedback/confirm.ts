import type { z } from 'zod';
import { askedToConfirm } from '../../platform/intents.ts';

export interface ConfirmRequest {
  title: string;
  body?: string;
  /** Name of the confirming button; 'Confirm' when left out. */
  action?: string;
  danger?: boolean;
  /** Asks for a line of text, checked by `schema`; `run` receives it. */
  input?: { label: string; schema?: z.ZodType<string>; initial?: string; multiline?: boolean };
  /** The step before closing. False or a rejection keeps the dialog open. */
  run?: (text: string) => Promise<boolean | void> | void;
}

export type Pending = ConfirmRequest & { id: number; settle: (confirmed: boolean) => void };

let pending: Pending | undefined;
let count = 0;
const listeners = new Set<() => void>();

function set(next: Pending | undefined): void {
  pending = next;
  for (const listener of listeners) listener();
}

/**
 * Asks before something happens. Resolves true once confirmed and `run` went well, false when
 * cancelled. Enter confirms, Escape cancels.
 */
export function confirm(request: ConfirmRequest): Promise<boolean> {
  pending?.settle(false);
  askedToConfirm();
  return new Promise((resolve) => {
    const settle = (confirmed: boolean) => {
      set(undefined);
      resolve(confirmed);
    };
    set({ ...request, id: ++count, settle });
  });
}

export const confirmStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  snapshot: (): Pending | undefined => pending,
};
