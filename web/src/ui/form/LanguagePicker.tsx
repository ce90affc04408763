import { type Language, isLanguage } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGE_PACKS } from '../../locales/packs.ts';
import { changeLanguage } from '../../platform/i18n.ts';
import { Button } from '../layout/Button.tsx';
import { Dialog } from '../feedback/Dialog.tsx';
import { CheckIcon, GlobeIcon } from '../layout/icons.ts';
import style from '../layout/Menu.module.css';

const CHOICES: { code: Language; name: string }[] = Object.entries(LANGUAGE_PACKS).flatMap(([code, pack]) =>
  isLanguage(code) ? [{ code, name: pack.name }] : [],
);

/** A button with the language shown, and the sheet to choose another. */
export function LanguagePicker() {
  const { t, i18n } = useTranslation();
  const [open, setOpen] = useState(false);
  const shown = CHOICES.find(({ code }) => code === i18n.language)?.name;
  return (
    <>
      <Button look="quiet" icon={<GlobeIcon fontSize={20} />} onClick={() => setOpen(true)}>
        <span className="visually-hidden">{t('language')}: </span>
        {shown}
      </Button>
      {open && (
        <Dialog title={t('language')} kind="sheet" onClose={() => setOpen(false)}>
          <ul className={style.menu} role="radiogroup" aria-label={t('language')}>
            {CHOICES.map(({ code, name }) => (
              <li key={code} role="presentation">
                <button
                  type="button"
                  role="radio"
                  aria-checked={code === i18n.language}
                  lang={code}
                  className={style.item}
                  onClick={() => {
                    setOpen(false);
                    void changeLanguage(code);
                  }}
                >
                  <span style={{ flex: 1 }}>{name}</span>
                  {code === i18n.language && <CheckIcon />}
                </button>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
