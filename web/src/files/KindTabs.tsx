import { type FileKind, type Orientation, fileKind } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../ui/format/format.ts';
import { MediaIcon } from '../ui/layout/MediaIcon.tsx';
import { SplitDrawing, REGION_TEXT, SPLIT_TEXT } from '../ui/stage/SplitDrawing.tsx';
import { fileCountsQuery } from '../queries/files.ts';
import { shownPlace } from './kinds.ts';
import { type Owner, type Place, type Tab, kindOf, placePath, splitKinds, subTabOf, withSubTab } from './place.ts';
import style from './tabs.module.css';

interface KindTabsProps {
  owner: Owner;
  place: Place;
}

const TAB_TEXT = ['tabImage', 'tabVideo', 'tabSplit'] as const;
const TAB_NUMBERS: readonly Tab[] = [0, 1, 2];
const ORIENTATIONS = [
  ['vertical', 'verticalShort'],
  ['horizontal', 'horizontalShort'],
] as const satisfies [Orientation, string][];

/** Tabs by screen, by kind and, among split pictures, by part: each with a small drawing and its count. */
export function KindTabs({ owner, place }: KindTabsProps) {
  const { t } = useTranslation('files');
  const count = useCounts(owner.id);
  const link = (next: Place) => placePath(owner, next);
  return (
    <div className={style.tabs}>
      <nav className={style.screens} aria-label={t('orientation')}>
        {ORIENTATIONS.map(([orientation, short]) => (
          <TabLink
            key={orientation}
            to={link({ ...place, orientation })}
            current={place.orientation === orientation}
            text={t(short)}
            count={count((kind) => kind.orientation === orientation)}
            drawing={<i className={orientation === 'vertical' ? style.upright : style.lying} />}
          />
        ))}
      </nav>
      <nav className={style.kinds} aria-label={t('kinds')}>
        {TAB_NUMBERS.map((tab) => {
          const shown = kindOf({ ...place, tab });
          return (
            <TabLink
              key={tab}
              to={link({ ...place, tab })}
              current={place.tab === tab}
              text={t(TAB_TEXT[tab])}
              count={count((kind) => kind.orientation === place.orientation && belongs(kind, tab))}
              drawing={<KindDrawing kind={shown} plain={tab === 2} />}
            />
          );
        })}
      </nav>
      {place.tab === 2 && (
        <nav className={style.parts} aria-label={t('regions')}>
          {splitKinds(place.orientation).map((kind, index) => (
            <TabLink
              key={kind.kind}
              to={link(withSubTab(place, index))}
              current={subTabOf(place) === index}
              text={<PartWords kind={kind} />}
              count={count((other) => other === kind)}
              drawing={<KindDrawing kind={kind} size={30} />}
            />
          ))}
        </nav>
      )}
    </div>
  );
}

/** The split, and below it which part of it. */
function PartWords({ kind }: { kind: FileKind }) {
  const { t } = useTranslation();
  const { split, region } = shownPlace(kind);
  return (
    <>
      {t(SPLIT_TEXT[split])} <small>{t(REGION_TEXT[region])}</small>
    </>
  );
}

function belongs(kind: FileKind, tab: Tab): boolean {
  if (tab === 2) return splitKinds(kind.orientation).includes(kind);
  return kind === kindOf({ orientation: kind.orientation, tab, vertical: 0, horizontal: 0 });
}

/** Sums the counts of the kinds that a test picks; undefined until they are known. */
function useCounts(owner: string): (picks: (kind: FileKind) => boolean) => number | undefined {
  const { data } = useQuery(fileCountsQuery(owner));
  return (picks) =>
    data?.items.reduce((sum, item) => {
      const kind = fileKind(item.orientation, item.kind);
      return kind && picks(kind) ? sum + item.count : sum;
    }, 0);
}

interface TabLinkProps {
  to: string;
  current: boolean;
  text: ReactNode;
  count: number | undefined;
  drawing: ReactNode;
}

function TabLink({ to, current, text, count, drawing }: TabLinkProps) {
  const { short } = useFormat();
  const countId = useId();
  return (
    <Link
      to={to}
      replace
      preventScrollReset
      className={style.tab}
      aria-current={current ? 'page' : undefined}
      aria-describedby={countId}
    >
      <span aria-hidden className={style.drawing}>
        {drawing}
      </span>
      <span>{text}</span>
      <span id={countId} aria-hidden className={style.count}>
        {count !== undefined && short(count)}
      </span>
    </Link>
  );
}

/** The screen with the part that a kind fills. `plain` shows the split alone. */
export function KindDrawing({ kind, plain = false, size = 34 }: { kind: FileKind; plain?: boolean; size?: number }) {
  const { split, region } = shownPlace(kind);
  const inside = split === 'full' ? <MediaIcon media={kind.media} /> : <></>;
  return (
    <SplitDrawing
      orientation={kind.orientation}
      split={split}
      size={size}
      active={plain || split === 'full' ? undefined : region}
      content={() => inside}
    />
  );
}
