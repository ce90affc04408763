import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton, IconLink } from '../../layout/Button.tsx';
import { CrossIcon, ExpandIcon } from '../../layout/icons.ts';
import style from './SidePanel.module.css';

/** A table and the panel beside it. */
export const TableAndPanel = ({ table, panel }: { table: ReactNode; panel: ReactNode }) => (
  <div className={style.frame}>
    {table}
    {panel}
  </div>
);

interface SidePanelProps {
  title: string;
  /** The page of what is shown. */
  to: string;
  onClose: () => void;
  /** Buttons of the head. */
  actions?: ReactNode;
  /** Its scrolling box, for lists in it. */
  body?: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}

/** Details of a row beside its table. Escape closes it and gives the focus back. */
export function SidePanel({ title, to, onClose, actions, body, children }: SidePanelProps) {
  const { t } = useTranslation();
  const ref = useRef<HTMLElement>(null);
  const close = () => {
    ref.current?.parentElement?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
    onClose();
  };
  useEffect(() => {
    const panel = ref.current;
    const listener = (event: KeyboardEvent) => {
      // An open dialog is what Escape closes first.
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
      event.stopPropagation();
      close();
    };
    panel?.addEventListener('keydown', listener);
    return () => panel?.removeEventListener('keydown', listener);
  });
  return (
    <section ref={ref} className={style.panel} aria-label={title} data-panel data-testid="panel">
      <header className={style.head}>
        <h2 dir="auto">{title}</h2>
        {actions}
        <IconLink to={to} label={t('openPage')} icon={<ExpandIcon className="turns" />} />
        <IconButton label={t('close')} icon={<CrossIcon />} onClick={close} />
      </header>
      <div ref={body} className={style.body}>
        {children}
      </div>
    </section>
  );
}
