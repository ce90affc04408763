import { BATCH_IDS_MAX, type Device, type DeviceFilter, deviceLabel, ORIENTATIONS } from '@ams/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../platform/session.ts';
import { choosableDevicesQuery, deviceTotalQuery } from '../../queries/devices.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { Badge, StateBadge } from '../../ui/feedback/StateBadge.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { oneOf } from '../../ui/layout/address.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { DeviceLabel, Mac } from '../../ui/layout/DeviceLabel.tsx';
import { Chips } from '../../ui/list/Chips.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { SearchBar } from '../../ui/list/SearchBar.tsx';
import style from './DeviceChooser.module.css';
import { pickedIn, type Target } from './order.ts';
import type { TargetProps } from './target.ts';

const ONLINE = ['true', 'false'] as const;
const WHOSE = ['owner', 'everyone'] as const;

/** A sheet with devices to tick one by one, or all that the filters show. */
export function DeviceChooser(props: TargetProps & { onClose: () => void }) {
  const { ad, order, dual, onTarget, onClose } = props;
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  const { filter, filters, everyone } = useFilters(props);
  const choice = useChoice(order.target, filter);
  const box = useRef<HTMLDivElement>(null);
  const done = () => {
    onTarget(choice.target);
    onClose();
  };
  return (
    <Dialog kind="sheet" title={t('chooseDevices')} onClose={onClose}>
      <div className={style.head}>{filters}</div>
      <div className={style.list} ref={box} role="group" aria-label={t('chooseDevices')}>
        <InfiniteList
          query={choosableDevicesQuery(filter)}
          label={t('devices')}
          rowHeight={76}
          box={box}
          empty={{ title: common('noMatch'), hint: common('noMatchHint') }}
          render={(device) => (
            <DeviceTick
              device={device}
              ad={ad?.id}
              checked={choice.has(device.id)}
              tooFewScreens={dual && order.screen === 'secondary' && device.screens.length < 2}
              showOwner={everyone}
              onToggle={() => choice.toggle(device)}
            />
          )}
        />
      </div>
      <footer className={style.foot}>
        <span className="caption" role="status">
          {t('selectedDevices', { n: number(choice.count) })}
        </span>
        {choice.matching !== undefined && choice.matching > 1 && choice.target.kind !== 'matching' && (
          <Button onClick={choice.takeAll}>{t('selectMatching', { n: number(choice.matching) })}</Button>
        )}
        <Button look="primary" disabled={choice.count === 0} onClick={done}>
          {common('done')}
        </Button>
      </footer>
    </Dialog>
  );
}

/** Search and filters of the list: at first the devices of the owner that fit the ad. */
function useFilters({ owner, orientation }: TargetProps) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const { leading } = useSession();
  const [q, setQ] = useState('');
  const [online, setOnline] = useState<string>();
  const [screen, setScreen] = useState<string | undefined>(orientation);
  const [whose, setWhose] = useState<string>('owner');
  const shape = oneOf(ORIENTATIONS, screen);
  const filter: DeviceFilter = {
    ...(q && { q }),
    ...(online && { online: online === 'true' }),
    ...(shape && (shape === orientation ? { fits: shape } : { orientation: shape })),
    ...(whose === 'owner' && { owner: owner.id }),
  };
  const filters = (
    <>
      <SearchBar value={q} onSearch={setQ} placeholder={t('searchDevices')} />
      <Chips
        label={t('orientation')}
        value={screen}
        onChange={setScreen}
        options={[
          ...ORIENTATIONS.map((value) => ({ value, label: common(value) })),
          { value: undefined, label: common('all') },
        ]}
      />
      <Chips
        label={t('devices')}
        value={online}
        onChange={setOnline}
        options={[
          { value: undefined, label: common('all') },
          ...ONLINE.map((value) => ({ value, label: common(value === 'true' ? 'stateOnline' : 'stateOffline') })),
        ]}
      />
      {leading && (
        <Chips
          label={common('owner')}
          value={whose}
          onChange={(value) => setWhose(value ?? 'owner')}
          options={WHOSE.map((value) => ({ value, label: value === 'owner' ? owner.username : t('everyone') }))}
        />
      )}
    </>
  );
  return { filter, filters, everyone: whose === 'everyone' };
}

/** What is ticked. Another filter ends a choice of all that one shows; devices that were ticked stay. */
function useChoice(before: Target, filter: DeviceFilter) {
  const key = JSON.stringify(filter);
  const [picked, setPicked] = useState(pickedIn(before));
  const [allOf, setAllOf] = useState(before.kind === 'matching' ? JSON.stringify(before.filter) : undefined);
  const matching = useQuery(deviceTotalQuery(filter)).data;
  const loaded = useInfiniteQuery(choosableDevicesQuery(filter)).data?.pages ?? [];
  const all = allOf === key;
  const toggle = ({ id, orientation }: Device) => {
    const others = (all ? loaded.flatMap(({ items }) => items) : picked).filter((device) => device.id !== id);
    setAllOf(undefined);
    // One taken out of all: what is left are those that can be seen.
    if (all) setPicked(others.slice(0, BATCH_IDS_MAX));
    else setPicked(others.length < picked.length ? others : [...others, { id, orientation }]);
  };
  const target: Target = all ? { kind: 'matching', filter } : { kind: 'chosen', devices: picked };
  return {
    target,
    matching,
    count: all ? (matching ?? 0) : picked.length,
    has: (id: string) => all || picked.some((device) => device.id === id),
    toggle,
    takeAll: () => setAllOf(key),
  };
}

interface DeviceTickProps {
  device: Device;
  /** The ad that is released, once it is stored. */
  ad: string | undefined;
  checked: boolean;
  tooFewScreens: boolean;
  showOwner: boolean;
  onToggle: () => void;
}

function DeviceTick({ device, ad, checked, tooFewScreens, showOwner, onToggle }: DeviceTickProps) {
  return (
    <label className={style.tick} data-testid="device-choice" data-mac={device.mac}>
      <input type="checkbox" checked={checked} onChange={onToggle} aria-label={deviceLabel(device)} />
      <span className={style.name}>
        <strong dir="auto">
          <DeviceLabel device={device} />
        </strong>
        <span className="caption">
          <Mac mac={device.mac} />
          {showOwner && <> · {device.owner.username}</>}
        </span>
        <PlaysNow device={device} ad={ad} />
      </span>
      <DeviceBadges device={device} tooFewScreens={tooFewScreens} />
    </label>
  );
}

/** The ad that the device reports. */
function PlaysNow({ device: { playing }, ad }: Pick<DeviceTickProps, 'device' | 'ad'>) {
  const { t } = useTranslation('releases');
  const ads = [playing.main?.ad, playing.secondary?.ad].flatMap((shown) => shown ?? []);
  if (ads.some(({ id }) => id === ad)) return <span className={style.playsThis}>{t('playsThis')}</span>;
  const [first] = ads;
  return first ? <span className="caption">{t('playsNow', { name: first.name })}</span> : null;
}

function DeviceBadges({ device, tooFewScreens }: Pick<DeviceTickProps, 'device' | 'tooFewScreens'>) {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  return (
    <span className={style.badges}>
      {tooFewScreens && <Badge tone="warning">{t('oneScreen')}</Badge>}
      {device.expired ? <StateBadge state="expired" /> : <StateBadge state={device.online ? 'online' : 'offline'} />}
      {device.orientation && <span className="caption">{common(device.orientation)}</span>}
    </span>
  );
}
