import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguagePicker } from '../ui/form/LanguagePicker.tsx';
import { Street } from './Street.tsx';
import style from './session.module.css';

/** The frame of the pages before signing in: the drawing, the name, and below them the form. */
export function SessionFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  const { t: text } = useTranslation('session');
  return (
    <div className={style.frame}>
      <header className={style.hero}>
        <div className={style.language}>
          <LanguagePicker />
        </div>
        <div className={style.name}>
          <p className={style.appName}>{t('appTitle')}</p>
          <p className={style.tagline}>{text('tagline')}</p>
        </div>
        <Street />
      </header>
      <main className={style.panel}>
        <div className={style.inner}>
          <h1>{title}</h1>
          {children}
        </div>
      </main>
    </div>
  );
}
