import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { later } from '../platform/chunks.ts';
import { waitingDevicesQuery } from '../queries/home.ts';

/** Most visits of the page find none. */
const WaitingCard = later(
  () => import('./WaitingCard.tsx'),
  (module) => module.WaitingCard,
);

/** Devices of this network that show a pairing code; the code is read from the screen. */
export function WaitingDevices() {
  const { data = [] } = useQuery(waitingDevicesQuery);
  if (data.length === 0) return null;
  return (
    <Suspense>
      <WaitingCard devices={data} />
    </Suspense>
  );
}
