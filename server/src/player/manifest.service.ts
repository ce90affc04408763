import { createHash } from 'node:crypto';
import { AppError, isPaced, type Manifest, type Priority, type Programme, reachable, type Screen } from '@ams/contract';
import { LRUCache } from 'lru-cache';
import { type MadeVersion, storeVersions } from '../devices/reports.service.ts';
import { inBatches } from '../platform/database/loader.ts';
import type { Deps } from '../platform/process/deps.ts';
import { Cache } from '../platform/events/cache.ts';
import type { PlayerLinks, UnsignedOffer } from './links.ts';
import { type BegunRelease, type DeviceRow, type NeededFile, readDevices, readSpots } from './manifest.queries.ts';

/** Programmes and files of one revision of a device. */
type Holding = Pick<Manifest, 'screens' | 'withdrawn'> & { files: NeededFile[] };

interface Kept {
  revision: number;
  holding: Holding;
}

/** The time-independent part of a manifest; `content` is the input of the version hash. */
interface Made extends MadeVersion {
  content: Omit<Manifest, 'version' | 'serverTime' | 'bandwidth' | 'withdrawn' | 'spots' | 'files' | 'app'> & {
    files: NeededFile[];
    app: UnsignedOffer | null;
  };
  withdrawn: string[];
  /** Milliseconds until the device expires, which makes another version. */
  lifeMs: number;
}

/** Many devices ask at once after a restart: two connections of all are theirs. */
const BATCHES = { atOnce: 2, size: 200 };
/** What a process remembers: of so many devices their holdings and manifests, and their versions. */
const REMEMBERED = { holdings: 2000, versions: 50_000 };

/** The manifests of devices. Versions are equal if and only if playback is. */
export class Manifests {
  readonly #deps: Pick<Deps, 'db' | 'signer' | 'config' | 'events'>;
  readonly #links: PlayerLinks;
  /** A device's revision changes with its releases, so a kept holding is never a stale one. */
  readonly #holdings: LRUCache<string, Kept>;
  /** The devices' current versions, and the manifests of some of them. */
  readonly #versions: Cache<string>;
  readonly #made: Cache<Made>;
  readonly #make = inBatches<string, Made>((ids) => this.#makeAll(ids), BATCHES);

  constructor(deps: Pick<Deps, 'db' | 'signer' | 'config' | 'events'>, links: PlayerLinks, remembered = REMEMBERED) {
    this.#links = links;
    const { events } = deps;
    this.#deps = deps;
    this.#holdings = new LRUCache({ max: remembered.holdings });
    this.#versions = new Cache(events, remembered.versions);
    this.#made = new Cache(events, remembered.holdings);
    events.on('manifest', ({ ids }) => this.#forget(ids));
    events.on('command', ({ command, ids }) => {
      if (command === 'goodbye') this.#forget(ids);
    });
  }

  #forget(ids: readonly string[]): void {
    this.#versions.invalidate(ids);
    this.#made.invalidate(ids);
  }

  /** The device's current version, as far as this process knows it without asking. */
  cachedVersion(deviceId: string): string | undefined {
    return this.#versions.get(deviceId);
  }

  /** The device's current version. Throws `UNAUTHENTICATED` when there is no such device. */
  async version(deviceId: string): Promise<string> {
    return (await this.#make(deviceId)).version;
  }

  /** The current version of a device and its manifest, which is left out if the device holds this entity tag. */
  async whole(
    deviceId: string,
    isHeld: (tag: string) => boolean = () => false,
    now = Date.now(),
  ): Promise<{ version: string; manifest?: Manifest }> {
    const { db, signer, config, events } = this.#deps;
    // A device that was notified by another process asks this one, which may not have been notified yet.
    if (this.#made.get(deviceId)) await events.heardAll();
    const { version, content, withdrawn } = this.#made.get(deviceId) ?? (await this.#make(deviceId));
    if (isHeld(`"${version}"`)) return { version };
    const hasCampaigns = Object.values(content.screens).flat().some(isPaced);
    const manifest: Manifest = {
      version,
      serverTime: new Date(now).toISOString(),
      bandwidth: config.playerBandwidth ?? null,
      withdrawn,
      spots: hasCampaigns ? await readSpots(db, deviceId) : [],
      ...content,
      files: content.files.map((file) => ({ ...file, url: signer.sign(`/media/${file.sha256}`, now) })),
      app: content.app && this.#links.signOffer(content.app, signer, now),
    };
    return { version, manifest };
  }

  async #makeAll(ids: readonly string[]): Promise<(Made | AppError)[]> {
    const { db, config } = this.#deps;
    const begun = { version: this.#versions.begin(), made: this.#made.begin() };
    const known = ids.map((id) => this.#holdings.get(id));
    const devices = await readDevices(
      db,
      ids,
      known.map((kept) => kept?.revision ?? null),
      this.#links.offerOfManifest(),
      config.publicUrl,
    );
    const made = new Map<string, Made>();
    for (const [index, id] of ids.entries()) {
      const device = devices.get(id);
      if (device) made.set(id, makeOne(device, this.#holdingOf(device, known[index])));
    }
    const changed = [...made.values()].filter((each) => isNew(each, devices.get(each.id)));
    for (const id of await storeVersions(db, changed)) await this.#links.deliveryChanged(db, id);
    for (const each of made.values()) {
      this.#versions.set(begun.version, each.id, each.version, each.lifeMs);
      this.#made.set(begun.made, each.id, each, each.lifeMs);
    }
    return ids.map((id) => made.get(id) ?? new AppError('UNAUTHENTICATED'));
  }

  #holdingOf({ id, revision, releases, withdrawn }: DeviceRow, known: Kept | undefined): Holding {
    if (known?.revision === revision) return known.holding;
    const holding = holdingOf(releases ?? [], withdrawn ?? []);
    this.#holdings.set(id, { revision, holding });
    return holding;
  }
}

function makeOne(device: DeviceRow, { files, screens, withdrawn }: Holding): Made {
  const { id, mac, name, revision, merchant } = device;
  const content = {
    device: { id, mac, name },
    timeZone: device.time_zone,
    sound: device.sound,
    workingHours: device.working_hours,
    volume: device.volume,
    volumeHours: device.volume_hours,
    brightness: device.brightness,
    brightnessHours: device.brightness_hours,
    expired: device.expired,
    expiresAt: device.expires_on,
    merchant: merchant && { username: merchant.username, phone: merchant.phone },
    files,
    screens,
    app: device.app,
  };
  const version = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
  return { id, revision, version, content, withdrawn, lifeMs: device.expires_in ?? Number.POSITIVE_INFINITY };
}

const isNew = ({ revision, version }: Made, device: DeviceRow | undefined): boolean =>
  device?.manifest_revision !== revision || device.manifest_version !== version;

function holdingOf(releases: BegunRelease[], withdrawn: string[]): Holding {
  const screens = { main: programmesOn('main', releases), secondary: programmesOn('secondary', releases) };
  const playing = new Set([...screens.main, ...screens.secondary].map((programme) => programme.releaseId));
  const needed = releases.filter(({ releaseId, isPrepared }) => isPrepared || playing.has(releaseId));
  return { screens, withdrawn, files: distinctFiles(needed.toSorted((a, b) => urgencyOf(a) - urgencyOf(b))) };
}

const URGENCIES: Record<Priority, number> = { takeover: 0, urgent: 1, normal: 1, default: 2 };
const URGENCY_PREPARED = 3;

/** The order in which devices download: takeovers come first, default content and prepared takeovers last. */
const urgencyOf = ({ priority, isPrepared }: BegunRelease): number =>
  isPrepared ? URGENCY_PREPARED : URGENCIES[priority];

const programmesOn = (screen: Screen, releases: BegunRelease[]): Programme[] =>
  reachable(
    releases.filter(({ onScreen, isPrepared }) => !isPrepared && (onScreen === null || onScreen === screen)),
  ).map(({ onScreen: _onScreen, isPrepared: _isPrepared, files: _files, ...programme }) => programme);

function distinctFiles(releases: BegunRelease[]): NeededFile[] {
  const files = releases.flatMap((release) => release.files);
  return [...new Map(files.map((file) => [file.sha256, file])).values()];
}
