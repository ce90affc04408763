import { neutralText } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../../layout/Button.tsx';
import { useCopy } from '../../layout/copy.ts';
import { CopyIcon } from '../../layout/icons.ts';
import { SelectionBar } from '../select/SelectionBar.tsx';
import type { Column } from './TableHead.tsx';

interface CopyBarProps<T, K extends string> {
  columns: readonly Column<T, K>[];
  /** All rows that are loaded. */
  listed: readonly T[];
  /** Those that are selected. */
  rows: readonly T[];
  choose: (rows: readonly T[]) => void;
}

/** Copies the selected rows as a spreadsheet takes them: cells between tabs, none of which is a formula. */
export function CopyBar<T, K extends string>({ columns, listed, rows, choose }: CopyBarProps<T, K>) {
  const { t } = useTranslation();
  const copy = useCopy();
  const lines = () => rows.map((row) => columns.map((column) => plainText(column, row)).join('\t'));
  return (
    <SelectionBar count={rows.length} total={listed.length} onAll={() => choose(listed)} onEnd={() => choose([])}>
      <Button small icon={<CopyIcon />} onClick={() => void copy(lines().join('\n'))}>
        {t('copy')}
      </Button>
    </SelectionBar>
  );
}

/** Without tabs, line breaks and isolates, which programs show as signs. */
function plainText<T, K extends string>({ cell, text }: Column<T, K>, row: T): string {
  const shown = text ? text(row) : cell(row);
  return typeof shown === 'string' ? neutralText(shown.replace(/[\t\r\n]/g, ' ').replace(/[\u2066-\u2069]/g, '')) : '';
}
