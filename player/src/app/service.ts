import { formatMac, VERSION } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import { reload } from './reload.ts';
import { nextRotation } from '../platform/rotation.ts';
import { hasSecondScreen, openSecondScreen } from '../platform/screens.ts';
import { type Fact, openServicePage, sizeText, speedText } from '../screens/service.ts';
import { openPlayStore } from '../store/database.ts';
import { forgetPairing } from '../store/identity.ts';
import { measureSpeed } from '../sync/speed.ts';
import { type PlayerWindow, rotationOf } from './window.ts';

const ANSWER_MS = 5000;

async function serverFact({ texts, log }: PlayerWindow): Promise<Fact> {
  const startedAt = performance.now();
  try {
    await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    const ms = String(Math.round(performance.now() - startedAt));
    return { label: texts.server, value: `${location.host}, ${fillMessage(texts.reached, { ms })}` };
  } catch (error) {
    log('info', `service page: ${String(error)}`);
    return { label: texts.server, value: `${location.host}, ${texts.noAnswer}`, bad: true };
  }
}

function contentFact({ texts, display }: PlayerWindow): Fact {
  const download = display.download();
  const { content: label } = texts;
  if (download?.state === 'failed') {
    return { label, value: fillMessage(texts.failed, { reason: download.reason ?? '' }), bad: true };
  }
  if (!download || download.state === 'done') return { label, value: texts.complete };
  const percent = Math.floor((100 * download.doneBytes) / Math.max(1, download.totalBytes));
  return { label, value: fillMessage(texts.downloading, { percent: String(percent) }) };
}

async function storageFacts({ texts, locale, media }: PlayerWindow): Promise<Fact[]> {
  const { storage: label } = texts;
  if (media.kind === 'insecure') return [{ label, value: texts.insecure, bad: true }];
  if (media.kind === 'refused') return [{ label, value: media.message, bad: true }];
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  const used = sizeText(usage, locale);
  const free = sizeText(Math.max(0, quota - usage), locale);
  const space = fillMessage(texts.space, { used, free });
  const lasting = await navigator.storage.persisted();
  return [{ label, value: lasting ? space : `${space}. ${texts.mayBeCleared}` }];
}

async function factsOf(self: PlayerWindow): Promise<Fact[]> {
  const { texts, locale, identity, playing, screen, clock, database } = self;
  const manifest = self.live()?.manifest;
  const now = playing[screen];
  const programme = manifest?.screens[screen].find(({ releaseId }) => releaseId === now?.releaseId);
  const day = (date: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(date));
  const time = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(manifest && { timeZone: manifest.timeZone }),
  });
  return [
    { label: texts.mac, value: [formatMac(identity.mac), manifest?.device.name].filter(Boolean).join(' · ') },
    await serverFact(self),
    contentFact(self),
    { label: texts.onScreen, value: programme?.name ?? texts.nothing },
    { label: texts.validUntil, value: manifest?.expiresAt ? day(manifest.expiresAt) : texts.unlimited },
    ...(await storageFacts(self)),
    { label: texts.playsWaiting, value: String(await openPlayStore(database).waiting()) },
    { label: texts.clock, value: `${time.format(clock.now())} ${manifest?.timeZone ?? ''}` },
    { label: texts.version, value: `${VERSION} · ${navigator.userAgent.match(/Chrom\w*\/\d+/)?.[0] ?? ''}` },
  ];
}

/** The service page of this window, over what it plays. */
export async function openService(self: PlayerWindow): Promise<void> {
  const { texts, locale, log, api, host, windows } = self;
  log('info', 'service page opened');
  const again = (why: string) => {
    windows.send({ type: 'restart' });
    if (!host.restart?.()) void reload(log, why);
  };
  await openServicePage(texts, {
    facts: () => factsOf(self),
    lines: self.lines,
    async testSpeed(signal) {
      const speed = await measureSpeed(api, signal);
      return speed === undefined ? texts.nothing : speedText(speed, locale, texts);
    },
    rotate: async () => self.turn(nextRotation(await rotationOf(self))),
    openSecondScreen: hasSecondScreen() ? openSecondScreen : undefined,
    restart: () => again('restarted by hand'),
    async forget() {
      await forgetPairing(self.database, self.identity);
      again('pairing forgotten');
    },
  });
}
