import { type Device, deviceLabel } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../platform/session.ts';
import { oneOf } from '../../ui/layout/address.ts';
import { ButtonLink } from '../../ui/layout/Button.tsx';
import { Chips } from '../../ui/list/Chips.tsx';
import { DeviceLabel, Mac } from '../../ui/layout/DeviceLabel.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { Card } from '../../ui/layout/Page.tsx';
import { SearchBar } from '../../ui/list/SearchBar.tsx';
import { Badge, StateBadge } from '../../ui/feedback/StateBadge.tsx';
import { EmptyState } from '../../ui/feedback/States.tsx';
import { choosableDevicesQuery } from '../../queries/devices.ts';
import style from './DevicesStep.module.css';
import { type Order, type Target, toggled } from './order.ts';

interface DevicesProps {
  owner: { id: string; username: string };
  /** How many devices the owner has. */
  total: number;
  order: Order;
  /** The ad is made for two screens: devices with one are marked when the second is meant. */
  dual: boolean;
  onTarget: (target: Target) => void;
}

/** All devices of the user, or some of them. */
export function TargetCard({ owner, total, order, onTarget }: DevicesProps) {
  const { t } = useTranslation('releases');
  const { target } = order;
  return (
    <Card title={t('devices')}>
      {total === 0 && target.kind === 'all' ? (
        <EmptyState
          title={t('noDevices', { username: owner.username })}
          hint={t('noDevicesHint')}
          action={<ButtonLink to="/scancode">{t('pairDevice')}</ButtonLink>}
        />
      ) : null}
      <Choice<Target['kind']>
        label={t('devices')}
        value={target.kind}
        onChange={(kind) => onTarget(kind === 'all' ? { kind } : { kind, ids: [] })}
        options={[
          { value: 'all', label: t('allDevices', { count: total }) },
          { value: 'chosen', label: t('someDevices') },
        ]}
      />
      {target.kind === 'all' && total > 0 && (
        <p className="caption">{t('allDevicesHint', { username: owner.username, count: total })}</p>
      )}
    </Card>
  );
}

const ONLINE = ['true', 'false'] as const;
const WHOSE = ['owner', 'everyone'] as const;

/** Devices to tick, with search and filters. */
export function DeviceTicks({ owner, order, dual, onTarget }: DevicesProps) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const { leading } = useSession();
  const [q, setQ] = useState('');
  const [online, setOnline] = useState<string>();
  const [whose, setWhose] = useState<string>('owner');
  const ids = order.target.kind === 'chosen' ? order.target.ids : [];
  const filter = { q, online: oneOf(ONLINE, online), owner: whose === 'owner' ? owner.id : undefined };
  return (
    <>
      <SearchBar value={q} onSearch={setQ} placeholder={t('searchDevices')} />
      <Chips
        label={t('devices')}
        value={online}
        onChange={setOnline}
        options={[
          { value: undefined, label: common('all') },
          { value: 'true', label: common('stateOnline') },
          { value: 'false', label: common('stateOffline') },
        ]}
      />
      {leading && (
        <Chips
          label={common('owner')}
          value={whose}
          onChange={(value) => setWhose(value ?? 'owner')}
          options={WHOSE.map((value) => ({
            value,
            label: value === 'owner' ? owner.username : t('everyone'),
          }))}
        />
      )}
      <InfiniteList
        query={choosableDevicesQuery(filter)}
        label={t('devices')}
        rowHeight={72}
        empty={{ title: common('noMatch'), hint: common('noMatchHint') }}
        render={(device) => (
          <DeviceTick
            device={device}
            checked={ids.includes(device.id)}
            tooFewScreens={dual && order.screen === 'secondary' && device.screens.length < 2}
            showOwner={whose === 'everyone'}
            onToggle={() => onTarget({ kind: 'chosen', ids: toggled(ids, device.id) })}
          />
        )}
      />
    </>
  );
}

interface DeviceTickProps {
  device: Device;
  checked: boolean;
  tooFewScreens: boolean;
  showOwner: boolean;
  onToggle: () => void;
}

function DeviceTick({ device, checked, tooFewScreens, showOwner, onToggle }: DeviceTickProps) {
  const { t } = useTranslation('releases');
  return (
    <label className={style.deviceTick} data-testid="device-choice" data-mac={device.mac}>
      <input type="checkbox" checked={checked} onChange={onToggle} aria-label={deviceLabel(device)} />
      <span className={style.deviceName}>
        <strong dir="auto">
          <DeviceLabel device={device} />
        </strong>
        <span className="caption">
          <Mac mac={device.mac} />
          {showOwner && <> · {device.owner.username}</>}
        </span>
      </span>
      <span className={style.deviceBadges}>
        {tooFewScreens && <Badge tone="warning">{t('oneScreen')}</Badge>}
        {device.expired ? <StateBadge state="expired" /> : <StateBadge state={device.online ? 'online' : 'offline'} />}
      </span>
    </label>
  );
}
