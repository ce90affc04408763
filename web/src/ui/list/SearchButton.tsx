import { useTranslation } from 'react-i18next';
import { SearchIcon } from '../layout/icons.ts';
import { showPalette } from '../layout/palette.ts';
import style from './SearchButton.module.css';

/** Looks like a search field and opens the search over everything. `keys` are shown at its end. */
export function SearchButton({ keys }: { keys?: string }) {
  const { t } = useTranslation();
  return (
    <button type="button" className={style.button} aria-haspopup="dialog" onClick={() => showPalette(true)}>
      <SearchIcon />
      <span>{t('searchAll')}</span>
      {keys && <kbd aria-hidden>{keys}</kbd>}
    </button>
  );
}
