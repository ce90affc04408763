import { useTranslation } from 'react-i18next';
import style from '../list/InfiniteList.module.css';

/** A grey block in the place of what comes. */
export const Skeleton = ({ height }: { height: number }) => <div className={style.skeleton} style={{ height }} />;

const SHOWN = 8;

/** The skeleton of a list, in the shape of its rows. */
export function Skeletons({ height, minColumn }: { height: number; minColumn?: number | undefined }) {
  const { t } = useTranslation();
  const columns = minColumn ? `repeat(auto-fill, minmax(${minColumn}px, 1fr))` : 'minmax(0, 1fr)';
  return (
    <div
      role="status"
      aria-label={t('loading')}
      style={{ display: 'grid', alignContent: 'start', gap: 12, gridTemplateColumns: columns }}
    >
      {Array.from({ length: SHOWN }, (_, index) => (
        <Skeleton key={index} height={height} />
      ))}
    </div>
  );
}
