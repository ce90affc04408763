import type { ReactNode } from 'react';
import style from './Notice.module.css';

interface NoticeProps {
  tone: 'bad' | 'warning' | 'primary' | 'good';
  icon?: ReactNode;
  /** `alert` is read out at once, `status` when the reader pauses. */
  role?: 'alert' | 'status';
  children: ReactNode;
}

/** Something to know about what stands around it: a tinted line. */
export const Notice = ({ tone, icon, role, children }: NoticeProps) => (
  <div className={`${style.notice} ${style[tone]}`} role={role}>
    {icon}
    <span>{children}</span>
  </div>
);
