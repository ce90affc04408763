import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Press } from '../feedback/pending.ts';
import { Unloaded } from '../feedback/States.tsx';
import { useFormat } from '../format/format.ts';
import { NextIcon } from '../layout/icons.ts';
import { Card } from '../layout/Page.tsx';
import style from './Concerns.module.css';

export interface Concern {
  to: string;
  icon: ReactNode;
  text: string;
  count: number;
  /** It could not be counted. */
  retry?: Press | undefined;
}

/** The things that need attention, each with its number and the way there; nothing when all is well. */
export function Concerns({ concerns }: { concerns: readonly Concern[] }) {
  const { t } = useTranslation('home');
  const { number } = useFormat();
  const open = concerns.filter(({ count, retry }) => count > 0 || retry);
  if (open.length === 0) return null;
  return (
    <Card title={t('attention')}>
      <ul className={style.concerns}>
        {open.map(({ to, icon, text, count, retry }) => (
          <li key={to}>
            {retry ? (
              <Unloaded what={text} onRetry={retry} />
            ) : (
              <Link to={to}>
                {icon}
                <span className={style.text}>{text}</span>
                <strong className="numbers">{number(count)}</strong>
                <NextIcon className="turns" />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
