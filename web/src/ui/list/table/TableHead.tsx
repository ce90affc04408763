import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DownIcon, UpIcon } from '../../layout/icons.ts';
import type { SortHandle } from './address.ts';
import style from './DataTable.module.css';

export interface Column<T, K extends string> {
  id: string;
  head: string;
  /** Its track in the grid: `minmax(80px, 2fr)`. */
  width: string;
  /** What the list is sorted by when the head is pressed; left out, it cannot be sorted by this. */
  sort?: K;
  /** It is shown from this width of the table on, in CSS pixels. */
  from?: number;
  /** Stands at the end of its column, as numbers do. */
  end?: boolean;
  cell: (item: T) => ReactNode;
  /** The same as plain text, where `cell` is none. */
  text?: (item: T) => string;
}

interface TableHeadProps<T, K extends string> {
  columns: readonly Column<T, K>[];
  /** The tracks of all rows. */
  tracks: string;
  sort: SortHandle<K>;
}

/** The heads of the columns; those that can be sorted by are buttons. */
export function TableHead<T, K extends string>({ columns, tracks, sort }: TableHeadProps<T, K>) {
  const { t } = useTranslation();
  return (
    <div role="rowgroup" className={style.head}>
      <div role="row" className={style.heads} aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
        <div role="columnheader">
          <span className="visually-hidden">{t('select')}</span>
        </div>
        {columns.map(({ id, head, sort: key, end }) => (
          <div
            key={id}
            role="columnheader"
            className={end ? `${style.cell} ${style.end}` : style.cell}
            aria-sort={key === undefined ? undefined : orderOf(sort, key)}
          >
            {key === undefined ? (
              head
            ) : (
              <button type="button" className={style.sort} onClick={() => sort.by(key)}>
                <span className="clip">{head}</span>
                {sort.sorting.key === key && (sort.sorting.descending ? <DownIcon /> : <UpIcon />)}
              </button>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function orderOf<K extends string>({ sorting }: SortHandle<K>, key: K): 'ascending' | 'descending' | 'none' {
  if (sorting.key !== key) return 'none';
  return sorting.descending ? 'descending' : 'ascending';
}
