import type { Campaign, CampaignGoal, CampaignPrice } from '@ams/contract';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsLeading, useSession } from '../../platform/session.ts';
import { pickableUsersQuery } from '../../queries/users.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { ScheduleFields } from '../../ui/form/ScheduleFields.tsx';
import { UserPicker } from '../../ui/form/UserPicker.tsx';
import { Button } from '../../ui/layout/Button.tsx';
import { CheckIcon, FailIcon, SendIcon, UsersIcon } from '../../ui/layout/icons.ts';
import { Card, Columns, Page } from '../../ui/layout/Page.tsx';
import style from '../campaigns.module.css';
import { Conflicts } from '../Conflicts.tsx';
import { today } from '../today.ts';
import { AdsField } from './AdsField.tsx';
import { AvailabilityCard } from './AvailabilityCard.tsx';
import { CurrencySelect } from './CurrencySelect.tsx';
import { availabilityBodyOf } from './draft.ts';
import form from './CampaignForm.module.css';
import { type DeviceChooserProps, TargetField, useMustRequest } from './TargetField.tsx';
import type { CampaignFormHandle } from './useCampaignForm.ts';

interface CampaignFormProps {
  title: string;
  back: string;
  handle: CampaignFormHandle;
  /** Stands above the form. */
  notice: ReactNode;
  /** The sheet in which devices are ticked. */
  chooser: (props: DeviceChooserProps) => ReactNode;
}

/** What is shown, where, when, how often and for how much; beside it what is free, while it is written. */
export function CampaignForm({ title, back, handle, notice, chooser }: CampaignFormProps) {
  const { draft, set } = handle;
  return (
    <Page title={title} back={back}>
      {notice}
      {handle.theirs && <Meanwhile theirs={handle.theirs} onSettle={handle.settle} />}
      <Columns
        main={
          <>
            <NameCard handle={handle} />
            <AdsField handle={handle} />
            <TargetField handle={handle} chooser={chooser} />
            <FlightCard handle={handle} />
            <GoalCard handle={handle} />
            <PriceCard handle={handle} />
          </>
        }
        side={
          <>
            <AvailabilityCard
              body={availabilityBodyOf(draft, today(), handle.base?.id)}
              onGoal={(value) => set({ goal: { ...draft.goal, value } })}
            />
            <Conflicts conflicts={handle.conflicts} />
          </>
        }
      />
      <Foot handle={handle} />
    </Page>
  );
}

/** Somebody else stored a newer version: nothing typed is lost. */
function Meanwhile({ theirs, onSettle }: { theirs: Campaign; onSettle: (whose: 'mine' | 'theirs') => void }) {
  const { t } = useTranslation('campaigns');
  return (
    <Notice tone="bad" icon={<FailIcon />} role="alert">
      {t('changedMeanwhile', { name: theirs.name })}
      <span className={style.buttons}>
        <Button small onClick={() => onSettle('mine')}>
          {t('keepMine')}
        </Button>
        <Button small onClick={() => onSettle('theirs')}>
          {t('takeTheirs')}
        </Button>
      </span>
    </Notice>
  );
}

interface Part {
  handle: CampaignFormHandle;
}

function NameCard({ handle: { draft, set, errorAt } }: Part) {
  const { t } = useTranslation('campaigns');
  const { current } = useSession();
  const leading = useIsLeading();
  const id = useId();
  const [picking, setPicking] = useState(false);
  return (
    <Card>
      <FieldFrame id={id} label={t('name')} error={errorAt('name')}>
        <TextControl id={id} value={draft.name} error={errorAt('name')} onChange={(name) => set({ name })} />
      </FieldFrame>
      {leading && (
        <Labelled label={t('customer')}>
          <Button icon={<UsersIcon />} onClick={() => setPicking(true)}>
            {`${t('customer')}: ${(draft.customer ?? current)?.username ?? ''}`}
          </Button>
        </Labelled>
      )}
      {picking && (
        <UserPicker
          query={pickableUsersQuery}
          title={t('customer')}
          onClose={() => setPicking(false)}
          onPick={({ id: customer, username }) => {
            set({ customer: { id: customer, username } });
            setPicking(false);
          }}
        />
      )}
    </Card>
  );
}

function FlightCard({ handle: { draft, set, schedule } }: Part) {
  const { t } = useTranslation('campaigns');
  return (
    <Card title={t('flight')}>
      <ScheduleFields value={draft.schedule} problem={schedule} onChange={(next) => set({ schedule: next })} />
    </Card>
  );
}

const GOAL_HINT = {
  perHour: 'goalHintPerHour',
  share: 'goalHintShare',
  total: 'goalHintTotal',
} as const satisfies Record<CampaignGoal['kind'], string>;

function GoalCard({ handle: { draft, set, errorAt } }: Part) {
  const { t } = useTranslation('campaigns');
  const id = useId();
  const { goal } = draft;
  return (
    <Card title={t('goal')}>
      <Choice<CampaignGoal['kind']>
        label={t('goal')}
        value={goal.kind}
        onChange={(kind) => set({ goal: { ...goal, kind } })}
        options={[
          { value: 'perHour', label: t('kindPerHour') },
          { value: 'share', label: t('kindShare') },
          { value: 'total', label: t('kindTotal') },
        ]}
      />
      <FieldFrame id={id} label={t('goalValue')} hint={t(GOAL_HINT[goal.kind])} error={errorAt('goal')}>
        <TextControl
          id={id}
          inputMode="decimal"
          value={goal.value}
          error={errorAt('goal')}
          onChange={(value) => set({ goal: { ...goal, value } })}
        />
      </FieldFrame>
    </Card>
  );
}

function PriceCard({ handle: { draft, set, errorAt } }: Part) {
  const { t } = useTranslation('campaigns');
  const id = useId();
  const { price } = draft;
  const error = errorAt('price');
  return (
    <Card title={t('price')}>
      <Choice<CampaignPrice['kind']>
        label={t('price')}
        value={price.kind}
        onChange={(kind) => set({ price: { ...price, kind } })}
        options={[
          { value: 'perPlay', label: t('kindPerPlay') },
          { value: 'perThousand', label: t('kindPerThousand') },
          { value: 'fixed', label: t('kindFixed') },
        ]}
      />
      <div className={form.price}>
        <FieldFrame id={id} label={t('amount')} error={error}>
          <TextControl
            id={id}
            inputMode="decimal"
            value={price.amount}
            error={error}
            onChange={(amount) => set({ price: { ...price, amount } })}
          />
        </FieldFrame>
        <CurrencySelect value={price.currency} onChange={(currency) => set({ price: { ...price, currency } })} />
      </div>
    </Card>
  );
}

/** Booking is for leading users on devices of their own; everything else is requested. */
function Foot({ handle: { draft, pending, send } }: Part) {
  const { t } = useTranslation('campaigns');
  const mustRequest = useMustRequest(draft.target);
  return (
    <footer className={form.foot}>
      <Button disabled={pending} onClick={() => send('save')}>
        {t('saveDraft')}
      </Button>
      <Button
        look="primary"
        icon={mustRequest ? <SendIcon /> : <CheckIcon />}
        disabled={mustRequest === undefined}
        loading={pending}
        onClick={() => send(mustRequest ? 'request' : 'book')}
      >
        {t(mustRequest ? 'request' : 'book')}
      </Button>
    </footer>
  );
}
