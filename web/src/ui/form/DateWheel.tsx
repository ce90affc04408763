import { useCallback, useEffect, useRef } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { PICKER_OPTION_HEIGHT } from '../../platform/constants.ts';
import { dateLocale } from '../../platform/language.ts';
import style from './DateWheel.module.css';
import { KitLocale } from './KitLocale.tsx';
import { nameOf, orderOf, partsOf, valuesOf, withPart, writerOf } from './wheel.ts';

interface DateWheelProps {
  /** Name of the wheel for screen readers. */
  label: string;
  /** `YYYY-MM-DD`, as `min` and `max`, which are the first and the last day of a year. */
  value: string;
  min: string;
  max: string;
  onChange: (date: string) => void;
}

/** Picks a calendar date from three columns, in the order and the words of the language shown. */
export default function DateWheel({ label, value, min, max, onChange }: DateWheelProps) {
  const { i18n } = useTranslation();
  const language = dateLocale(i18n.language);
  const parts = partsOf(value);
  return (
    <KitLocale>
      <div role="group" aria-label={label} className={style.wheel}>
        {orderOf(language).map((part) => (
          <Column
            key={part}
            label={nameOf(language, part)}
            values={valuesOf(part, value, { min, max })}
            value={parts[part]}
            write={writerOf(language, part)}
            onChange={(next) => onChange(withPart(value, part, next))}
          />
        ))}
      </div>
    </KitLocale>
  );
}

interface ColumnProps {
  label: string;
  values: readonly number[];
  value: number;
  write: (value: number) => string;
  onChange: (value: number) => void;
}

/** A column is at rest when it has not scrolled for this long. */
const REST_MS = 120;

/** The place of the option in the middle of a column. */
const inMiddle = (list: HTMLElement): number => Math.round(list.scrollTop / PICKER_OPTION_HEIGHT);

/** A list whose chosen option stands in the middle: scrolling chooses, and choosing scrolls. */
function Column({ label, values, value, write, onChange }: ColumnProps) {
  const list = useRef<HTMLDivElement>(null);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const place = values.indexOf(value);
  // Called with the chosen option as soon as it is in the document, and again when another is chosen.
  const bring = useCallback(
    (option: Element | null) => {
      // Not while it is there already: a finger may hold it between two options.
      if (option === null || !list.current || inMiddle(list.current) === place) return;
      list.current.scrollTop = place * PICKER_OPTION_HEIGHT;
    },
    [place],
  );
  useEffect(() => () => clearTimeout(rest.current), []);
  const settle = () => {
    const chosen = list.current ? values[inMiddle(list.current)] : undefined;
    if (chosen !== undefined && chosen !== value) onChange(chosen);
  };
  return (
    <ListBox
      ref={list}
      aria-label={label}
      className={style.column ?? ''}
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        for (const key of keys) if (key !== value) onChange(Number(key));
      }}
      onScroll={() => {
        clearTimeout(rest.current);
        rest.current = setTimeout(settle, REST_MS);
      }}
    >
      {values.map((each) => (
        <ListBoxItem
          key={each}
          ref={each === value ? bring : undefined}
          id={each}
          textValue={write(each)}
          className={style.option ?? ''}
        >
          {write(each)}
        </ListBoxItem>
      ))}
    </ListBox>
  );
}
