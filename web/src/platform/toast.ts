import { TOAST_DURATION } from './constants.ts';

export type ToastKind = 'info' | 'success' | 'fail';
export interface ToastMessage {
  id: number;
  kind: ToastKind;
  text: string;
}

const listeners = new Set<() => void>();
let shown: ToastMessage | undefined;
let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function set(message: ToastMessage | undefined): void {
  shown = message;
  for (const listener of listeners) listener();
}

function show(kind: ToastKind, text: string): void {
  clearTimeout(timer);
  if (shown?.text !== text || shown.kind !== kind) set({ id: ++count, kind, text });
  timer = setTimeout(() => set(undefined), TOAST_DURATION);
}

/** One message at a time in the middle of the screen; the same one again only stays longer. */
export const toast = {
  info: (text: string): void => show('info', text),
  success: (text: string): void => show('success', text),
  fail: (text: string): void => show('fail', text),
};

export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  snapshot: (): ToastMessage | undefined => shown,
};
