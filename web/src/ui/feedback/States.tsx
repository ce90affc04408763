import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError, isUnanswered } from '../../platform/api.ts';
import { contractMessages } from '../../platform/i18n.ts';
import type { Press } from './pending.ts';
import { Button, ButtonLink } from '../layout/Button.tsx';
import { ReloadIcon } from '../layout/icons.ts';
import style from './States.module.css';

interface StateProps {
  title: string;
  hint?: string | undefined;
  action?: ReactNode;
  /** Stands for the page itself, which has no other heading. */
  page?: boolean;
}

/** Nothing there yet: what this place is for and what to do. */
export function EmptyState({ title, hint, action, page }: StateProps) {
  return (
    <div className={style.state}>
      <EmptyPicture />
      {page ? <h1>{title}</h1> : <h2>{title}</h2>}
      {hint && <p>{hint}</p>}
      {action}
    </div>
  );
}

/** In place of a page that the server refuses to members; leads home, if not to where `action` does. */
export function LeadingOnly({ action }: Pick<StateProps, 'action'>) {
  const { t } = useTranslation('errors');
  return (
    <EmptyState
      title={contractMessages().errors.LEADING_ONLY}
      action={action ?? <ButtonLink to="/">{t('toHome')}</ButtonLink>}
    />
  );
}

/** Failures that are the same however often one tries again. */
const isFinal = (error: Error | null): boolean => isApiError(error, 'NOT_FOUND') || isApiError(error, 'LEADING_ONLY');

/** Failures of which the message, axios's own, is in English and says nothing to do. */
const isLost = (error: Error | null): boolean => isApiError(error) && isUnanswered(error.failure);

/** It could not be loaded: why, and Retry; what is gone or not for this person leads home instead. */
export function ErrorState({ error, onRetry }: { error: Error | null; onRetry: Press }) {
  const { t } = useTranslation();
  const { t: errors } = useTranslation('errors');
  const gone = isApiError(error, 'NOT_FOUND');
  const title = gone ? errors('notFoundTitle') : isFinal(error) ? error?.message : t('loadFailed');
  const why = isLost(error) ? errors('unreachable') : error?.message;
  const reason = gone ? errors('notFoundHint') : isFinal(error) ? undefined : why;
  return (
    <div className={style.state} role="alert">
      <BrokenPicture />
      <h2>{title}</h2>
      {reason && <p>{reason}</p>}
      {isFinal(error) ? (
        <ButtonLink to="/">{errors('toHome')}</ButtonLink>
      ) : (
        <Button icon={<ReloadIcon />} onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </div>
  );
}

/** A part of a page that could not be loaded, in a line with Retry. */
export function Unloaded({ what, onRetry }: { what?: string; onRetry: Press }) {
  const { t } = useTranslation();
  return (
    <p className={style.unloaded} role="alert">
      <span>
        {what} <span className="caption">{t('loadFailed')}</span>
      </span>
      <Button small icon={<ReloadIcon />} onClick={onRetry}>
        {t('retry')}
      </Button>
    </p>
  );
}

const EmptyPicture = () => (
  <svg className={style.picture} viewBox="0 0 160 110" aria-hidden>
    <rect className={style.back} x="22" y="18" width="76" height="58" rx="9" />
    <rect className={style.front} x="86" y="32" width="44" height="62" rx="8" />
    <path className={style.line} d="M60 76v14M44 92h32M98 60h20M98 70h13" />
    <circle className={style.dot} cx="108" cy="47" r="4" />
  </svg>
);

const BrokenPicture = () => (
  <svg className={style.picture} viewBox="0 0 160 110" aria-hidden>
    <rect className={style.back} x="34" y="18" width="92" height="62" rx="10" />
    <path className={style.line} d="M80 80v14M60 96h40M80 36v16M80 62v.1" />
  </svg>
);
