import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../layout/Button.tsx';
import { TextControl } from '../form/Field.tsx';
import { CrossIcon, SearchIcon } from '../layout/icons.ts';
import style from './SearchBar.module.css';

/** Typing rests this long before the list is searched. */
export const TYPING_PAUSE = 250;

interface SearchBarProps {
  value: string;
  onSearch: (text: string) => void;
  placeholder: string;
  /** A filter button, for instance. */
  children?: ReactNode;
}

/** Searches while one types; Enter searches at once. */
export function SearchBar({ value, onSearch, placeholder, children }: SearchBarProps) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  if (applied !== value) {
    // Changed from outside: back, or cleared filters.
    setApplied(value);
    if (value !== text.trim()) setText(value);
  }
  const search = useEffectEvent((wanted: string) => {
    if (wanted !== value) onSearch(wanted);
  });
  useEffect(() => {
    const timer = setTimeout(() => search(text.trim()), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <form
      role="search"
      className={style.search}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <div className={style.field}>
        <label htmlFor={id} className="visually-hidden">
          {placeholder}
        </label>
        <SearchIcon className={style.icon} />
        <TextControl
          id={id}
          type="search"
          value={text}
          onChange={setText}
          placeholder={placeholder}
          maxLength={100}
          after={text && <IconButton label={t('clear')} icon={<CrossIcon />} onClick={() => setText('')} />}
        />
      </div>
      {children}
    </form>
  );
}
