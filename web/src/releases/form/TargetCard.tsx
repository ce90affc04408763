import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceTotalQuery } from '../../queries/devices.ts';
import { EmptyState, ErrorState } from '../../ui/feedback/States.tsx';
import { Choice, Switch } from '../../ui/form/Choice.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { Card } from '../../ui/layout/Page.tsx';
import { DeviceChooser } from './DeviceChooser.tsx';
import { canStand, type Target, whereItPlays } from './order.ts';
import type { TargetProps } from './target.ts';
import style from './TargetCard.module.css';

type Kind = 'playing' | 'all' | 'chosen';

const kindOf = ({ kind }: Target): Kind => (kind === 'matching' ? 'chosen' : kind);

/** Where the ad goes: to the devices that it was released to, to all of the user that fit it, or to some. */
export function TargetCard(props: TargetProps) {
  const { owner, orientation, ad, order, onTarget, onStanding } = props;
  const { t } = useTranslation('releases');
  const { t: campaigns } = useTranslation('campaigns');
  const { number } = useFormat();
  const [choosing, setChoosing] = useState(false);
  const total = useQuery(deviceTotalQuery({ owner: owner.id }));
  const fitting = useQuery(deviceTotalQuery({ owner: owner.id, fits: orientation }));
  const uncounted = [total, fitting].filter(({ data, error }) => error && data === undefined);
  const playing = useQuery({ ...deviceTotalQuery(whereItPlays(ad?.id ?? '')), enabled: ad !== undefined }).data ?? 0;
  const choose = (kind: Kind) => (kind === 'chosen' ? setChoosing(true) : onTarget({ kind }));
  const canRepeat = playing > 0 || order.target.kind === 'playing';
  return (
    <Card title={t('devices')}>
      {uncounted[0] && (
        <ErrorState error={uncounted[0].error} onRetry={() => Promise.all(uncounted.map((query) => query.refetch()))} />
      )}
      {total.data === 0 && order.target.kind === 'all' && (
        <EmptyState
          title={t('noDevices', { username: owner.username })}
          hint={t('noDevicesHint')}
          action={<ButtonLink to="/scancode">{t('pairDevice')}</ButtonLink>}
        />
      )}
      <Choice<Kind>
        label={t('devices')}
        value={kindOf(order.target)}
        onChange={choose}
        options={[
          ...(canRepeat ? [{ value: 'playing' as const, label: t('whereItPlays', { n: number(playing) }) }] : []),
          {
            value: 'all',
            label: fitting.data === undefined ? campaigns('targetAll') : t('allDevices', { count: fitting.data }),
          },
          { value: 'chosen', label: t('someDevices') },
        ]}
      />
      <TargetHint {...props} total={total.data} fitting={fitting.data} onChange={() => setChoosing(true)} />
      {canStand(order.target, { owner: owner.id, orientation, ad: ad?.id }) && (
        <div className={style.standing}>
          <span>
            {t('standing')}
            <span className={`caption ${style.below}`}>{t('standingHint')}</span>
          </span>
          <Switch label={t('standing')} checked={order.standing} onChange={onStanding} />
        </div>
      )}
      {choosing && <DeviceChooser {...props} onClose={() => setChoosing(false)} />}
    </Card>
  );
}

interface TargetHintProps extends TargetProps {
  /** Devices of the owner, and those of them that fit the ad; undefined while they are not counted. */
  total: number | undefined;
  fitting: number | undefined;
  onChange: () => void;
}

/** Which devices are meant, in words. */
function TargetHint({ owner, order: { target }, count, total, fitting, onChange }: TargetHintProps) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  const { username } = owner;
  switch (target.kind) {
    case 'playing':
      return <p className="caption">{t('whereItPlaysHint')}</p>;
    case 'all':
      if (!total || fitting === undefined) return null;
      if (fitting === 0) return <p className="caption">{t('noneFits', { username })}</p>;
      return (
        <p className="caption">
          {fitting === total
            ? t('allDevicesHint', { username, count: total })
            : t('fittingHint', { username, n: number(fitting) })}
        </p>
      );
    case 'chosen':
    case 'matching':
      return (
        <p className={style.chosen}>
          {t(target.kind === 'matching' ? 'matchingDevices' : 'selectedDevices', { n: number(count) })}
          <Button look="quiet" small onClick={onChange}>
            {t('change')}
          </Button>
        </p>
      );
  }
}
