import type { ReactNode } from 'react';
import style from './Labelled.module.css';

interface LabelledProps {
  label: string;
  hint?: string;
  children: ReactNode;
}

/** The visible name of a group of choices, which carries it for screen readers itself. */
export const Labelled = ({ label, hint, children }: LabelledProps) => (
  <div className={style.labelled}>
    <span className={style.label} aria-hidden>
      {label}
    </span>
    {children}
    {hint && <p className="caption">{hint}</p>}
  </div>
);
