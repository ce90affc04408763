import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/layout/Button.tsx';
import { Card } from '../ui/layout/Page.tsx';
import { useShown } from './shown.ts';
import style from './statement.module.css';

interface SumTableProps {
  title: string;
  /** The first ones are texts, the others numbers. */
  headings: readonly string[];
  texts?: number;
  rows: readonly (readonly [key: string, cells: readonly ReactNode[]])[];
  totals: readonly (readonly ReactNode[])[];
  /** All rows are shown. */
  isWhole: boolean;
  onWhole: () => void;
}

/** Rows of figures with their totals. The first column stays in view while the others scroll. */
export function SumTable({ title, headings, texts = 1, rows, totals, isWhole, onWhole }: SumTableProps) {
  const { t } = useTranslation('campaigns');
  const classOf = (index: number) => (index < texts ? undefined : style.number);
  const shown = useShown(rows, isWhole);
  const line = (cells: readonly ReactNode[]) =>
    cells.map((cell, index) => (
      <td key={headings[index]} className={classOf(index)}>
        {cell}
      </td>
    ));
  return (
    <Card title={title}>
      {/* Scrolls by itself, so it must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={style.scroll} role="region" aria-label={title} tabIndex={0}>
        <table className={style.table}>
          <thead>
            <tr>
              {headings.map((heading, index) => (
                <th key={heading} scope="col" className={classOf(index)}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(([key, cells]) => (
              <tr key={key}>{line(cells)}</tr>
            ))}
          </tbody>
          <tfoot>
            {totals.map((cells, index) => (
              // Totals have no names: they stay in their order.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>{line(cells)}</tr>
            ))}
          </tfoot>
        </table>
      </div>
      {shown.length < rows.length && (
        <div className={style.screenOnly}>
          <Button small onClick={onWhole}>
            {t('statementShowAll')}
          </Button>
        </div>
      )}
    </Card>
  );
}
