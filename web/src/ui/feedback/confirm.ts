import type { ReactNode } from 'react';
import type { z } from 'zod';
import { create } from 'zustand';
import { askedToConfirm } from '../../platform/intents.ts';
import { session } from '../../platform/session.ts';

export interface ConfirmRequest {
  title: string;
  body?: string;
  /** Below the body: what would change, for example. */
  details?: ReactNode;
  /** Name of the confirming button; 'Confirm' when left out. */
  action?: string;
  danger?: boolean;
  /**
   * Asks for a line of text, checked by `schema`; `run` receives it. `about` is the id of what the text is for: if the session
   * ends, the same question about that has the text again.
   */
  input?: { about: string; label: string; schema?: z.ZodType<string>; initial?: string; multiline?: boolean };
  /** The step before closing. False or a rejection keeps the dialog open. */
  run?: (text: string) => Promise<boolean | void> | void;
}

export type Pending = ConfirmRequest & { id: number; settle: (confirmed: boolean) => void };

/** The question on the screen. */
export const useConfirm = create<{ pending: Pending | undefined }>(() => ({ pending: undefined }));

let count = 0;

/**
 * Asks before something happens. Resolves true once confirmed and `run` went well, false when
 * cancelled. Enter confirms, Escape cancels.
 */
export function confirm(request: ConfirmRequest): Promise<boolean> {
  useConfirm.getState().pending?.settle(false);
  askedToConfirm();
  return new Promise((resolve) => {
    count += 1;
    const id = count;
    const settle = (confirmed: boolean) => {
      // Another question may have taken its place while its step ran.
      if (useConfirm.getState().pending?.id === id) useConfirm.setState({ pending: undefined });
      resolve(confirmed);
    };
    useConfirm.setState({ pending: { ...request, id, settle } });
  });
}

const withdraw = (): void => useConfirm.getState().pending?.settle(false);

// Nobody answers a question of somebody else, over the page to sign in.
session.onEnd(withdraw);

// The way back leads to another page, which may be about another thing of the same kind.
window.addEventListener('popstate', withdraw);
