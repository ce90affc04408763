import type { DeviceFilter } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { deviceTotalQuery } from '../queries/devices.ts';
import { devicesText } from './batch/words.ts';

/** How many devices a filter matches. */
export function Results({ filter }: { filter: DeviceFilter }) {
  const { data } = useQuery(deviceTotalQuery(filter));
  return (
    <p className="caption" aria-live="polite" data-testid="results">
      {data === undefined ? '\u00a0' : devicesText(data)}
    </p>
  );
}
