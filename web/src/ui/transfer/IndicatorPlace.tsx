import type { ComponentType } from 'react';
import { create } from 'zustand';
import style from './indicator.module.css';

/** The indicator of each feature that has one. */
const useIndicators = create<Record<string, ComponentType>>(() => ({}));

/** Called by the pages where uploads begin: until one of them was opened, there is nothing to indicate. */
export const provideIndicator = (feature: string, indicator: ComponentType): void =>
  useIndicators.setState({ [feature]: indicator });

/** Position of indicators: above the menu on phones, in the side bar on desktops. */
export function IndicatorPlace() {
  const indicators = useIndicators();
  return (
    <div className={style.place}>
      {Object.entries(indicators).map(([feature, One]) => (
        <One key={feature} />
      ))}
    </div>
  );
}
