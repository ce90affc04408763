import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BACK_TOP_OFFSET, SCROLL_THROTTLE } from '../../platform/constants.ts';
import { UpIcon } from './icons.ts';
import { prefersLessMotion } from './wide.ts';
import style from '../list/InfiniteList.module.css';

/** Whether the window is scrolled past `offset`, looked at no more often than the throttle allows. */
function useScrolledPast(offset: number): boolean {
  const [past, setPast] = useState(() => window.scrollY > offset);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer = undefined;
      setPast(window.scrollY > offset);
    };
    const onScroll = () => {
      timer ??= setTimeout(look, SCROLL_THROTTLE);
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', onScroll);
    };
  }, [offset]);
  return past;
}

/** CSS that turns motion off has no power over scrolling by script. */
const toTop = (): void => window.scrollTo({ top: 0, behavior: prefersLessMotion() ? 'instant' : 'smooth' });

export function BackTop() {
  const { t } = useTranslation();
  if (!useScrolledPast(BACK_TOP_OFFSET)) return null;
  return (
    <button type="button" className={style.top} aria-label={t('backToTop')} onClick={toTop}>
      <UpIcon />
    </button>
  );
}
