import { useQuery } from '@tanstack/react-query';
import { waitingDevicesQuery } from '../queries/home.ts';
import { WaitingCard } from './WaitingCard.tsx';

/** Devices of this network that show a pairing code; the code is read from the screen. */
export function WaitingDevices() {
  const { data = [] } = useQuery(waitingDevicesQuery);
  return data.length > 0 && <WaitingCard devices={data} />;
}
