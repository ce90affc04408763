import { create } from 'zustand';
import { TOAST_DURATION } from './constants.ts';

export type ToastKind = 'info' | 'success' | 'fail';
interface ToastMessage {
  id: number;
  kind: ToastKind;
  text: string;
}

/** The message on the screen. */
export const useToast = create<{ shown: ToastMessage | undefined }>(() => ({ shown: undefined }));

let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function show(kind: ToastKind, text: string): void {
  const { shown } = useToast.getState();
  clearTimeout(timer);
  if (shown?.text !== text || shown.kind !== kind) useToast.setState({ shown: { id: ++count, kind, text } });
  timer = setTimeout(() => useToast.setState({ shown: undefined }), TOAST_DURATION);
}

/** One message at a time in the middle of the screen; the same one again only stays longer. */
export const toast = {
  info: (text: string): void => show('info', text),
  success: (text: string): void => show('success', text),
  fail: (text: string): void => show('fail', text),
};
