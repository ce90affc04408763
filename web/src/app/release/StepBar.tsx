import { useTranslation } from 'react-i18next';
import { CheckIcon } from '../../ui/layout/icons.ts';
import style from './StepBar.module.css';
import type { Step } from './steps.ts';

interface StepBarProps {
  step: Step;
  onStep: (step: Step) => void;
  /** There is content, so that devices can be chosen. */
  reachable: boolean;
}

/** The two steps, each a way to itself. */
export function StepBar({ step, onStep, reachable }: StepBarProps) {
  const { t } = useTranslation('releases');
  const steps = [
    { key: 'content', text: t('stepContent'), done: step === 'devices' },
    { key: 'devices', text: t('stepDevices'), done: false },
  ] as const;
  return (
    <ol className={style.steps}>
      {steps.map(({ key, text, done }, index) => (
        <li key={key}>
          <button
            type="button"
            aria-current={key === step ? 'step' : undefined}
            disabled={key === 'devices' && !reachable}
            onClick={() => key !== step && onStep(key)}
          >
            <i>{done ? <CheckIcon /> : index + 1}</i>
            {text}
          </button>
        </li>
      ))}
    </ol>
  );
}
