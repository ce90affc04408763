import { create } from 'zustand';
import { session } from './session.ts';
import { TOAST_DURATION, UNDO_DURATION } from './constants.ts';

export type ToastKind = 'info' | 'success' | 'fail';
interface ToastMessage {
  id: number;
  kind: ToastKind;
  text: string;
}

/** Something that was done and can be undone for a short time. */
interface Offer {
  id: number;
  text: string;
  undo: () => void;
}

/** The message on the screen, and below it what can be undone. */
export const useToast = create<{ shown: ToastMessage | undefined; offer: Offer | undefined }>(() => ({
  shown: undefined,
  offer: undefined,
}));

let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function show(kind: ToastKind, text: string): void {
  const { shown } = useToast.getState();
  clearTimeout(timer);
  if (shown?.text !== text || shown.kind !== kind) useToast.setState({ shown: { id: ++count, kind, text } });
  timer = setTimeout(() => useToast.setState({ shown: undefined }), TOAST_DURATION);
}

let offerTimer: ReturnType<typeof setTimeout> | undefined;

const withdrawOffer = (): void => {
  clearTimeout(offerTimer);
  useToast.setState({ offer: undefined });
};

// A person undoes something in the same session, or not at all.
session.onEnd(withdrawOffer);

/** Says what was done and offers to undo it. */
function offer(text: string, undo: () => void): void {
  clearTimeout(offerTimer);
  const act = () => {
    withdrawOffer();
    undo();
  };
  useToast.setState({ offer: { id: ++count, text, undo: act } });
  offerTimer = setTimeout(withdrawOffer, UNDO_DURATION);
}

/** One message at a time in the middle of the screen; the same one again only stays longer. */
export const toast = {
  info: (text: string): void => show('info', text),
  success: (text: string): void => show('success', text),
  fail: (text: string): void => show('fail', text),
  offerUndo: offer,
};
