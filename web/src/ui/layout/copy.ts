import { useTranslation } from 'react-i18next';
import { toast } from '../../platform/toast.ts';

/** Copies a text that it selects for a moment; answers whether that went well. Works over plain HTTP, too. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  // Nothing outside of an open dialog can be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- over plain HTTP, browsers have no other way
  const isDone = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
}

async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is none over plain HTTP, or it is not allowed.
    return copySelected(text);
  }
}

/** A function that copies a text and says `said`, or that it could not be copied. */
export function useCopy(): (text: string, said?: string) => Promise<void> {
  const { t } = useTranslation();
  return async (text, said = t('copied')) => {
    if (await isCopied(text)) toast.success(said);
    else toast.fail(t('copyFailed'));
  };
}
