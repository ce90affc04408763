import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useReach } from '../../platform/online.ts';
import { IconButton } from '../layout/Button.tsx';
import { ReachNotice } from './ReachNotice.tsx';
import { CrossIcon } from '../layout/icons.ts';
import style from './Dialog.module.css';

interface DialogProps {
  title: string;
  /** `sheet` rises from the bottom on a phone and is a panel in the middle of a desk's screen; `full` fills any. */
  kind?: 'confirm' | 'sheet' | 'full';
  onClose: () => void;
  children: ReactNode;
}

/**
 * A modal dialog, shown for as long as it is rendered. The browser's own element keeps the focus
 * inside, gives it back afterwards and closes on Escape.
 */
export function Dialog({ title, kind = 'confirm', onClose, children }: DialogProps) {
  const { t } = useTranslation();
  const reach = useReach();
  const ref = useRef<HTMLDialogElement>(null);
  // A click that began inside, as when text is selected beyond the edge, is none beside the panel.
  const beganBeside = useRef(false);
  const titleId = useId();
  // A layout effect, because its cleanup runs while the element is still in the page, which restores the focus.
  const askToClose = useEffectEvent(onClose);
  useLayoutEffect(() => {
    const dialog = ref.current;
    const show = () => {
      if (!dialog?.open) dialog?.showModal();
      dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    };
    show();
    // Without asking, the browser closes it at a second Escape after the first one was refused.
    const onClosed = () => {
      if (dialog?.open) return;
      show();
      askToClose();
    };
    dialog?.addEventListener('close', onClosed);
    return () => {
      dialog?.removeEventListener('close', onClosed);
      dialog?.close();
    };
  }, []);
  return (
    // A click beside the panel closes it; the keyboard's way is Escape (onCancel).
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      className={`${style.dialog} ${style[kind]}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => void (beganBeside.current = event.target === event.currentTarget)}
      onClick={(event) => event.target === event.currentTarget && beganBeside.current && onClose()}
    >
      <div className={style.body}>
        <header className={style.head}>
          <h2 id={titleId}>{title}</h2>
          {kind !== 'confirm' && <IconButton label={t('close')} icon={<CrossIcon />} onClick={onClose} />}
        </header>
        {reach !== 'online' && <ReachNotice />}
        {children}
      </div>
    </dialog>
  );
}
