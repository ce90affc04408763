import type { ReactNode } from 'react';
import { useFormat } from '../ui/format/format.ts';
import style from './steps.module.css';

export interface DrawnStep {
  /** Share of all devices that have it once this step is through. */
  percent: number;
  /** Share of this step's devices that are done and that failed, 0 to 1. */
  done: number;
  failed: number;
  state: 'later' | 'under way' | 'past';
}

interface StepsProps {
  label: string;
  steps: readonly DrawnStep[];
  /** Content beside a step. */
  children: (index: number) => ReactNode;
}

/** The steps of a release as a staircase: each bar reaches as far as the devices it has reached. */
export function Steps({ label, steps, children }: StepsProps) {
  const { number } = useFormat();
  return (
    <ol className={style.steps} aria-label={label}>
      {steps.map(({ percent, done, failed, state }, index) => {
        const before = steps[index - 1]?.percent ?? 0;
        const own = percent - before;
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a step is its place
          <li key={index} data-state={state} data-testid="step">
            <i className={style.number} aria-hidden>
              {number(index + 1)}
            </i>
            <div className={style.text}>
              {children(index)}
              <span className={style.bar} data-bar aria-hidden>
                <i data-part="before" style={{ width: `${before}%` }} />
                <i data-part="done" style={{ width: `${own * done}%` }} />
                <i data-part="failed" style={{ width: `${own * failed}%` }} />
                <i data-part="open" style={{ width: `${Math.max(0, own * (1 - done - failed))}%` }} />
              </span>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
