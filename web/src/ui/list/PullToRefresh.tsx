import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
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
  box?: RefObject<HTMLElement | null> | undefined;
  children: ReactNode;
}

function usePull(onRefresh: () => Promise<unknown>, box: RefObject<HTMLElement | null> | undefined) {
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
    const scrolled = () => (box ? (box.current?.scrollTop ?? 0) : window.scrollY);
    const begin = (event: TouchEvent) => {
      start = busy || event.touches.length > 1 || scrolled() > 0 ? undefined : event.touches[0];
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
    element.addEventListener('touchstart', begin, { passive: true });
    element.addEventListener('touchmove', move, { passive: false });
    element.addEventListener('touchend', end);
    element.addEventListener('touchcancel', end);
    return () => {
      element.removeEventListener('touchstart', begin);
      element.removeEventListener('touchmove', move);
      element.removeEventListener('touchend', end);
      element.removeEventListener('touchcancel', end);
    };
  }, [box]);
  return { ref, pull };
}

/** Pulling its content down from the top refreshes it. */
export function PullToRefresh({ onRefresh, box, children }: PullToRefreshProps) {
  const { t } = useTranslation();
  const { ref, pull } = usePull(onRefresh, box);
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
