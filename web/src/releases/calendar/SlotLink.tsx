import type { CalendarRelease } from '@ams/contract';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { NextIcon } from '../../ui/layout/icons.ts';
import style from './calendar.module.css';

interface SlotLinkProps {
  /** Releases of the slot. */
  releases: readonly CalendarRelease[];
  /** Of the sheet in which several are listed. */
  title: string;
  className: string;
  state: string;
  place?: CSSProperties;
  /** There is room for one line of text and the time. */
  isShort?: boolean;
  children: ReactNode;
}

/** A slot: it leads to its release, lists several, and is only a text when none is in scope. */
export function SlotLink({ releases, title, className, state, place, isShort, children }: SlotLinkProps) {
  const [open, setOpen] = useState(false);
  const [first, ...others] = releases.filter((release) => release.open);
  const look = { className, 'style': place, 'data-state': state, 'data-short': isShort };
  if (!first) return <div {...look}>{children}</div>;
  if (others.length === 0) {
    return (
      <Link to={`/releases/${first.id}`} {...look}>
        {children}
      </Link>
    );
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} {...look}>
        {children}
      </button>
      {open && (
        <Dialog kind="sheet" title={title} onClose={() => setOpen(false)}>
          <ul className={style.choices}>
            {releases.map((release) => (
              <li key={release.id}>
                {release.open ? (
                  <Link to={`/releases/${release.id}`} className={style.choice}>
                    <strong dir="auto">{release.ad.name}</strong>
                    <NextIcon className="turns" />
                  </Link>
                ) : (
                  <span className={style.choice} dir="auto">
                    {release.ad.name}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
