import type { Device } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../ui/format/format.ts';
import { Card, Facts } from '../ui/layout/Page.tsx';
import { RelativeTime } from '../ui/format/time.tsx';
import { numberFormat } from '../platform/intl.ts';
import { CopyMac } from './CopyMac.tsx';
import { useHoursWords } from './hours/words.ts';
import { SCREEN_NAME_TEXT } from './Truths.tsx';
import style from './DeviceFacts.module.css';

/** Facts about a device besides its state. */
export function DeviceFacts({ device }: { device: Device }) {
  const { t, i18n } = useTranslation('devices');
  const { bytes, dateTime } = useFormat();
  const words = useHoursWords();
  const percent = numberFormat(i18n.language, { style: 'percent' });
  const hoursOf = ({ workingHours, defaultHours }: Device) =>
    workingHours || !defaultHours ? words(workingHours) : t('hoursDefaultIs', { hours: words(defaultHours) });
  const { replaced } = device;
  return (
    <Card title={t('about')}>
      <Facts
        rows={[
          [
            t('mac'),
            <span key="mac" className={style.fact}>
              <CopyMac mac={device.mac} />
            </span>,
          ],
          [t('name'), device.name && <bdi key="name">{device.name}</bdi>],
          [
            t('area'),
            device.area && (
              <Link key="area" to={`/mac?area=${encodeURIComponent(device.area)}`} dir="auto">
                {device.area}
              </Link>
            ),
          ],
          [t('address'), device.address && <bdi key="address">{device.address}</bdi>],
          [t('tags'), device.tags.length > 0 ? <TagLinks key="tags" tags={device.tags} /> : null],
          [t('owner'), device.owner.username],
          [t('lastChangedBy'), device.operator?.username],
          [t('timeZone'), <span key="zone">{device.timeZone.replaceAll('_', ' ')}</span>],
          [t('workingHours'), hoursOf(device)],
          [t('volume'), device.volume === null ? null : percent.format(device.volume / 100)],
          [t('brightness'), device.brightness === null ? null : percent.format(device.brightness / 100)],
          [t('screens'), device.screens.length > 0 ? <Screens key="screens" device={device} /> : null],
          [t('freeSpace'), device.freeBytes === null ? null : bytes(device.freeBytes)],
          [
            t('playerVersion'),
            device.playerVersion && (
              <span key="version" className="device">
                {device.playerVersion}
              </span>
            ),
          ],
          [t('pairedAt'), device.pairedAt && <RelativeTime at={device.pairedAt} />],
          [t('replacedAt'), replaced && t('replacedBy', { time: dateTime(replaced.at), by: replaced.by ?? '–' })],
          [t('createdAt'), dateTime(device.createdAt)],
        ]}
      />
    </Card>
  );
}

function TagLinks({ tags }: { tags: string[] }) {
  return (
    <span className={style.tags}>
      {tags.map((tag) => (
        <Link key={tag} to={`/mac?tag=${encodeURIComponent(tag)}`} dir="auto">
          {tag}
        </Link>
      ))}
    </span>
  );
}

/** Order of screens that a device did not report. */
const SCREEN_ORDER = ['main', 'secondary'] as const;

function Screens({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const { number } = useFormat();
  if (device.screens.every(({ width }) => width === undefined)) return number(device.screens.length);
  return (
    <ul className={style.sizes}>
      {SCREEN_ORDER.slice(0, device.screens.length).map((usual, index) => {
        const { name = usual, width, height } = device.screens[index] ?? {};
        return (
          <li key={name}>
            {device.screens.length > 1 && `${t(SCREEN_NAME_TEXT[name])} `}
            <span className="device">{width && height ? `${width} × ${height}` : '–'}</span>
          </li>
        );
      })}
    </ul>
  );
}
