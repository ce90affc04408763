import { startFleet } from '@ams/fleet/fleet';
import type { Order, Report } from './devices.ts';

/** A part of a fleet in its own process: starts with the options it receives, reports its state, ends by a message. */
const TELL_MS = 250;

const tell = (report: Report): void => void process.send?.(report);

async function run(options: Exclude<Order, 'stop'>): Promise<void> {
  const fleet = await startFleet(options);
  const telling = setInterval(() => tell({ ended: false, counts: fleet.counts() }), TELL_MS);
  process.on('message', (order: Order) => {
    if (order !== 'stop') return;
    clearInterval(telling);
    void fleet.stop().then(() => {
      tell({ ended: true, counts: fleet.counts() });
      process.disconnect();
    });
  });
}

process.once('message', (order: Order) => {
  if (order !== 'stop') void run(order);
});
