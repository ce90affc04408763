import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DIRECTION_LOCK } from '../../platform/constants.ts';
import style from './InfiniteList.module.css';

/** Pulled this far (CSS pixels, after resistance), letting go refreshes. */
const THRESHOLD = 60;
const RESISTANCE = 0.5;
const PULL_MAX = 120;

type Pull = { state: 'idle' } | { state: 'pulling'; distance: number } | { state: 'refreshing' };

interface PullToRefreshProps {
  onRefresh: () => Promise<unknown>;
  children: ReactNode;
}

/** Whether a part of the page is scrolled, or lies in something that is: a pull moves that first. */
function isScrolled(part: Element | null): boolean {
  return part !== null && (part.scrollTop > 0 || isScrolled(part.parentElement));
}

const dialogOf = (part: Element): Element | null => part.closest('dialog');

function usePull(onRefresh: () => Promise<unknown>) {
  const ref = useRef<HTMLDivElement>(null);
  const [pull, setPull] = useState<Pull>({ state: 'idle' });
  const refresh = useEffectEvent(async () => {
    setPull({ state: 'refreshing' });
    await onRefresh();
    setPull({ state: 'idle' });
  });

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let start: Touch | undefined;
    let distance = 0;
    let busy = false;
    const begin = (event: TouchEvent) => {
      const part = event.target instanceof Element ? event.target : document.documentElement;
      const stays = busy || event.touches.length > 1 || dialogOf(part) !== dialogOf(element) || isScrolled(part);
      start = stays ? undefined : event.touches[0];
      distance = 0;
    };
    const move = (event: TouchEvent) => {
      const touch = event.touches[0];
      if (!start || !touch) return;
      const down = touch.clientY - start.clientY;
      const locked = distance > 0 || (down > DIRECTION_LOCK && down > Math.abs(touch.clientX - start.clientX));
      if (down < 0 || (!locked && Math.abs(touch.clientX - start.clientX) > DIRECTION_LOCK)) start = undefined;
      if (!start || !locked) return;
      if (event.cancelable) event.preventDefault();
      distance = Math.min((down - DIRECTION_LOCK) * RESISTANCE, PULL_MAX);
      setPull({ state: 'pulling', distance });
    };
    const end = () => {
      if (!start || distance <= 0) return;
      start = undefined;
      if (distance < THRESHOLD) return setPull({ state: 'idle' });
      busy = true;
      void refresh().finally(() => (busy = false));
    };
    document.addEventListener('touchstart', begin, { passive: true });
    document.addEventListener('touchmove', move, { passive: false });
    document.addEventListener('touchend', end);
    document.addEventListener('touchcancel', end);
    return () => {
      document.removeEventListener('touchstart', begin);
      document.removeEventListener('touchmove', move);
      document.removeEventListener('touchend', end);
      document.removeEventListener('touchcancel', end);
    };
  }, []);
  return { ref, pull };
}

/** Pulling its page down from the top, or the sheet that it is in, refreshes its content. */
export function PullToRefresh({ onRefresh, children }: PullToRefreshProps) {
  const { t } = useTranslation();
  const { ref, pull } = usePull(onRefresh);
  const height = pull.state === 'pulling' ? pull.distance : pull.state === 'refreshing' ? THRESHOLD : 0;
  const text = () => {
    if (pull.state === 'refreshing') return t('loading');
    return t(height >= THRESHOLD ? 'releaseToRefresh' : 'pullToRefresh');
  };
  return (
    <div ref={ref}>
      <div
        className={pull.state === 'pulling' ? style.pull : `${style.pull} ${style.settling}`}
        style={{ height }}
        role="status"
      >
        {height > 0 && text()}
      </div>
      {children}
    </div>
  );
}
