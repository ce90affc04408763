import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ReachNotice } from '../feedback/ReachNotice.tsx';
import { IconButton } from './Button.tsx';
import { BackIcon } from './icons.ts';
import style from './Page.module.css';

interface PageProps {
  title: string;
  /** Target of the back button if the page was opened by its address; without it there is no back button. */
  back?: string;
  /** Buttons at the end of the header. */
  actions?: ReactNode;
  /** Stands under the title and stays while the content scrolls: search, filters, tabs. */
  bar?: ReactNode;
  /** Reading width for forms and details; lists are wider. */
  narrow?: boolean;
  /** Fills the window: what is inside scrolls, not the page. */
  desk?: boolean;
  children: ReactNode;
}

/** The frame of every page inside the shell. */
export function Page({ title, back, actions, bar, narrow, desk, children }: PageProps) {
  return (
    <div className={desk ? style.desk : undefined} data-desk={desk}>
      <header className={style.header}>
        <ReachNotice />
        <div className={style.title}>
          {back !== undefined && <BackButton to={back} />}
          <h1 dir="auto">{title}</h1>
          <div className={style.actions}>{actions}</div>
        </div>
        {bar && <div className={style.bar}>{bar}</div>}
      </header>
      <div className={narrow ? `${style.content} ${style.narrow}` : style.content}>{children}</div>
    </div>
  );
}

interface ColumnsProps {
  main: ReactNode;
  side: ReactNode;
  /** On a phone the side is above: `main` is a list without an end. */
  isSideFirst?: boolean;
}

/** Two columns on a desk, one below the other on a phone. */
export const Columns = ({ main, side, isSideFirst = false }: ColumnsProps) =>
  isSideFirst ? (
    <div className={`${style.columns} ${style.sideFirst}`}>
      <div>{side}</div>
      <div>{main}</div>
    </div>
  ) : (
    <div className={style.columns}>
      <div>{main}</div>
      <div>{side}</div>
    </div>
  );

/** Whether the entry before this one in the history is the app's own: the router counts its entries. */
const isInApp = (): boolean => Number(window.history.state?.idx) > 0;

/** Goes back in history when the app was there before, else to `to`. */
function BackButton({ to }: { to: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const back = () => (isInApp() ? navigate(-1) : navigate(to, { replace: true }));
  return <IconButton label={t('back')} icon={<BackIcon className="turns" />} onClick={() => void back()} />;
}

export function Card({ title, children, action }: { title?: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={style.card}>
      {title && (
        <div className={style.cardHead}>
          <h2>{title}</h2>
          {action}
        </div>
      )}
      {children}
    </section>
  );
}

/** Facts as rows of name and value; entries without a value are left out. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={style.facts}>
      {rows
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
