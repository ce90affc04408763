import { stageSizes } from '@ams/contract';
import { explainIssues } from '@ams/contract/messages/explain';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../../platform/i18n.ts';
import { Button, IconButton } from '../../ui/layout/Button.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { DigitsInput } from '../../ui/form/DigitsInput.tsx';
import { FieldFrame } from '../../ui/form/Field.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { CrossIcon, PlusIcon } from '../../ui/layout/icons.ts';
import { Card } from '../../ui/layout/Page.tsx';
import { Pair } from '../../ui/layout/Pair.tsx';
import { Steps } from '../Steps.tsx';
import steps from '../steps.module.css';
import { inSteps, type RolloutDraft, rolloutIssues, withStep } from './rollout.ts';

interface RolloutCardProps {
  value: RolloutDraft;
  /** How many devices are chosen. */
  count: number;
  onChange: (value: RolloutDraft) => void;
}

/** All devices at once, or a few first. */
export function RolloutCard({ value, count, onChange }: RolloutCardProps) {
  const { t } = useTranslation('releases');
  return (
    <Card title={t('rollout')}>
      <Choice<RolloutDraft['kind']>
        label={t('rollout')}
        value={value.kind}
        onChange={(kind) => onChange(kind === 'atOnce' ? { kind } : inSteps())}
        options={[
          { value: 'atOnce', label: t('atOnce') },
          { value: 'inSteps', label: t('staged') },
        ]}
      />
      <p className="caption">{t(value.kind === 'atOnce' ? 'atOnceHint' : 'stagedHint')}</p>
      {value.kind === 'inSteps' && <StepFields value={value} count={count} onChange={onChange} />}
    </Card>
  );
}

interface StepFieldsProps extends RolloutCardProps {
  value: Extract<RolloutDraft, { kind: 'inSteps' }>;
}

function StepFields({ value, count, onChange }: StepFieldsProps) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  const ids = [useId(), useId()] as const;
  const { percents } = value;
  const sizes = stageSizes(
    percents.map((percent) => ({ percent })),
    count,
  );
  const problem = explainIssues(rolloutIssues(value), contractMessages())[0]?.message;
  const more = withStep(percents);
  const set = (next: readonly number[]) => onChange({ ...value, percents: next });
  return (
    <>
      <Steps label={t('steps')} steps={percents.map((percent) => ({ percent, done: 0, failed: 0, state: 'later' }))}>
        {(index) => (
          <div className={steps.edit}>
            <PercentField
              label={t('stepPercent', { step: index + 1 })}
              value={percents[index] ?? 100}
              min={1}
              // All devices have it in the end.
              fixed={index === percents.length - 1}
              onChange={(percent) => set(percents.with(index, percent))}
            />
            <span className="caption">{t('stepAdds', { n: number(Math.max(0, sizes[index] ?? 0)) })}</span>
            {percents.length > 2 && index < percents.length - 1 && (
              <IconButton
                label={t('removeStep', { step: index + 1 })}
                icon={<CrossIcon />}
                onClick={() => set(percents.toSpliced(index, 1))}
              />
            )}
          </div>
        )}
      </Steps>
      {problem && (
        <p className={steps.problem} role="alert">
          {problem}
        </p>
      )}
      {more && (
        <Button icon={<PlusIcon />} onClick={() => set(more)}>
          {t('addStep')}
        </Button>
      )}
      <Pair>
        <FieldFrame id={ids[0]} label={t('nextStepAt')}>
          <div className={steps.edit}>
            <PercentField
              id={ids[0]}
              value={value.goOnAt}
              min={1}
              onChange={(goOnAt) => onChange({ ...value, goOnAt })}
            />
          </div>
        </FieldFrame>
        <FieldFrame id={ids[1]} label={t('stopAbove')}>
          <div className={steps.edit}>
            <PercentField
              id={ids[1]}
              value={value.stopAbove}
              min={0}
              onChange={(stopAbove) => onChange({ ...value, stopAbove })}
            />
          </div>
        </FieldFrame>
      </Pair>
    </>
  );
}

interface PercentFieldProps {
  /** Its name; without it a label outside names it by `id`. */
  label?: string;
  id?: string;
  value: number;
  min: number;
  fixed?: boolean;
  onChange: (percent: number) => void;
}

/** A whole percentage. */
function PercentField({ id, fixed = false, ...props }: PercentFieldProps) {
  const own = useId();
  const control = id ?? own;
  return (
    <label htmlFor={control}>
      <DigitsInput {...props} id={control} max={100} readOnly={fixed} />%
    </label>
  );
}
