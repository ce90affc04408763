const TAPS = 4;
const WITHIN_MS = 4000;
/** A corner is this share of the shorter side. */
const CORNER = 0.15;

type Corner = 'top left' | 'top right' | 'bottom left' | 'bottom right';

function cornerOf({ clientX, clientY }: PointerEvent): Corner | undefined {
  const reach = CORNER * Math.min(innerWidth, innerHeight);
  const side = clientX < reach ? 'left' : clientX > innerWidth - reach ? 'right' : undefined;
  const end = clientY < reach ? 'top' : clientY > innerHeight - reach ? 'bottom' : undefined;
  return side && end && `${end} ${side}`;
}

/** Calls back after four taps in one corner, or Ctrl-Alt-S: what a passer-by does not do and an installer can learn. */
export function onServiceSign(callback: () => void): void {
  let taps: { corner: Corner; at: number }[] = [];
  window.addEventListener('pointerdown', (event) => {
    const corner = cornerOf(event);
    if (!corner) {
      taps = [];
      return;
    }
    const at = event.timeStamp;
    taps = [...taps.filter((tap) => tap.corner === corner && at - tap.at < WITHIN_MS), { corner, at }];
    if (taps.length < TAPS) return;
    taps = [];
    callback();
  });
  window.addEventListener('keydown', (event) => {
    if (!event.ctrlKey || !event.altKey || event.code !== 'KeyS') return;
    event.preventDefault();
    callback();
  });
}
