import type { Play } from '@ams/contract';
import type { ChainEnd, Live, PlayBatch, PlayStore, StateStore } from '@ams/player/store';

/** State of a device while the fleet runs. The server reports at each start whether it is paired. */
export function makeState(): StateStore {
  let live: Live | undefined;
  let paired = false;
  return {
    live: async () => live,
    async saveLive(next) {
      live = next;
    },
    paired: async () => paired,
    async savePaired(next) {
      paired = next;
    },
  };
}

/** A play log for as long as the fleet runs: one batch on its way, the rest waiting. */
export function makePlayLog(): PlayStore {
  const waiting: Play[] = [];
  let sent: PlayBatch | undefined;
  let end: ChainEnd | undefined;
  return {
    async append(play) {
      waiting.push(play);
    },
    async take(batch, limit) {
      if (!sent && waiting.length > 0) sent = { batch, plays: waiting.splice(0, limit) };
      return sent;
    },
    chainEnd: async () => end,
    async rewrite(batch, next) {
      sent = batch;
      end = next ?? end;
    },
    async confirm(batch) {
      if (sent?.batch === batch) sent = undefined;
    },
  };
}
