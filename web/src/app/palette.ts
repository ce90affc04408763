import { useLayoutEffect } from 'react';
import { searchFor, showPalette, usePalette } from '../ui/layout/palette.ts';

/** Ctrl-K, or Cmd-K on a Mac. A keyboard of another script reports another letter: the position of the key decides. */
export function opensPalette(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
) {
  if (event.altKey || event.shiftKey || event.ctrlKey === event.metaKey) return false;
  return event.key.toLowerCase() === 'k' || (event.code === 'KeyK' && !/^[a-z]$/i.test(event.key));
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Puts the cursor into the search field of the page; without one the palette opens. */
function focusSearch(): void {
  const own = document.querySelector<HTMLInputElement>('#content [role=search] input');
  if (!own) return showPalette(true);
  own.focus();
  own.select();
}

const isCharacter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

/** Ctrl-K opens and closes the palette, `/` focuses search. A dialog keeps the keys to itself. */
export function usePaletteKeys(): void {
  // Before the page is painted: whoever sees it can press a key.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { open: shown, text } = usePalette.getState();
      const hasDialog = document.querySelector('dialog[open]') !== null;
      if (event.defaultPrevented || (!shown && hasDialog)) return;
      if (opensPalette(event)) showPalette(!shown);
      else if (shown && !hasDialog && isCharacter(event)) searchFor(text + event.key);
      else if (event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event.target)) focusSearch();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      // It belongs to the person who opened it.
      showPalette(false);
    };
  }, []);
}
