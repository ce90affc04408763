import {
  type Media,
  type AdBody,
  type CreateGroupBody,
  fileKind,
  type CreateReleaseBody,
  type Device,
  type MediaFile,
  type Region,
  addDays,
  localTime,
  utcDate,
} from '@ams/contract';
import { Upload } from 'tus-js-client';
import { type Caller, dataOf, makeCaller } from '@ams/fleet/calls';
import { macOf } from '@ams/fleet/roster';
import { drawFilm, drawPicture } from './art.ts';
import {
  ADMIN,
  COLLEAGUE,
  CUSTOMERS,
  type CustomerName,
  DEALER,
  type OwnerName,
  PASSWORD,
  PLACES,
  type Place,
  isUpright,
} from './cast.ts';
import { SAMPLES, type Sample, type SampleName } from './samples.ts';

/** The people of the demo, signed in. */
export type People = Record<OwnerName, Caller & { id: string }>;
export type Devices = Map<Place, Device>;
type Files = Map<Sample, MediaFile>;

const WHAT = 'The demo cannot be set up';

async function signIn(server: string, username: string): Promise<Caller & { id: string }> {
  const caller = makeCaller(server);
  const signedIn = dataOf(await caller.calls.session.login({ body: { username, password: PASSWORD } }), WHAT);
  if (!('user' in signedIn)) throw new Error(`${username} is asked for a second factor`);
  return { ...caller, id: signedIn.user.id };
}

/** A person who may look at everything of a customer. */
async function addColleague(server: string, { calls }: Caller): Promise<void> {
  const { username, name } = COLLEAGUE;
  const { code } = dataOf(await calls.colleagues.invite({ body: { name, access: 'readOnly' } }), WHAT);
  const body = { code, username, password: PASSWORD, confirm: PASSWORD };
  dataOf(await makeCaller(server).calls.session.register({ body }), WHAT);
}

/** A dealer below the first account, its customers, and a colleague of one of them. */
export async function addPeople(server: string): Promise<People> {
  const admin = await signIn(server, ADMIN);
  dataOf(await admin.calls.users.create({ body: { ...DEALER, password: PASSWORD, role: 'leading' } }), WHAT);
  const dealer = await signIn(server, DEALER.username);
  for (const customer of CUSTOMERS) {
    dataOf(await dealer.calls.users.create({ body: { ...customer, password: PASSWORD, role: 'member' } }), WHAT);
  }
  const [harbourmall, lumencafe] = await Promise.all(CUSTOMERS.map(({ username }) => signIn(server, username)));
  if (!harbourmall || !lumencafe) throw new Error('two customers were made');
  await addColleague(server, harbourmall);
  return { northlight: dealer, harbourmall, lumencafe };
}

/** Where the devices of each owner are. */
const AREA_OF = { harbourmall: 'Harbour', lumencafe: 'Old Town', northlight: 'Showroom' } as const;

const SPOTS = ['window', 'counter', 'entrance', 'lift lobby', 'kiosk', 'showroom'];

/** What a place is, by its name. */
const tagsOf = ({ name }: Place): string[] => SPOTS.filter((spot) => name.toLowerCase().includes(spot));

/** All devices but the new ones, known by their MAC. */
export async function addDevices(people: People): Promise<Devices> {
  const { calls } = people.northlight;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const devices: Devices = new Map();
  // The newest are listed first: those at which one looks first come last.
  for (const place of PLACES.filter(({ part }) => part !== 'new').toReversed()) {
    const ownerId = people[place.owner].id;
    const body = {
      mac: macOf(place.number),
      name: place.name,
      ownerId,
      area: AREA_OF[place.owner],
      tags: tagsOf(place),
    };
    const { id } = dataOf(await calls.devices.create({ body }), WHAT);
    devices.set(place, dataOf(await calls.devices.update({ params: { id }, body: { timeZone } }), WHAT));
  }
  return devices;
}

/** Groups of the dealer; customers can request campaigns on the first. */
export async function addGroups({ northlight }: People): Promise<void> {
  const groups: CreateGroupBody[] = [
    { name: 'Café windows', filter: { area: AREA_OF.lumencafe, tags: { all: ['window'] } }, bookable: true },
    { name: 'Harbour portrait', filter: { area: AREA_OF.harbourmall, orientation: 'vertical' } },
    { name: 'Doors and lifts', filter: { tags: { any: ['entrance', 'lift lobby'], none: ['kiosk'] } } },
  ];
  for (const body of groups.toReversed()) dataOf(await northlight.calls.groups.create({ body }), WHAT);
}

/** Days until the first, second and third of the devices that expire soon do. */
const EXPIRING_IN = [4, 9, 17];
const EXPIRED_SINCE = 3;

/** Gives dates to devices, of which some are over and some soon will be. */
export async function setExpiry({ northlight }: People, devices: Devices): Promise<void> {
  const today = utcDate(Date.now());
  const soon = [...EXPIRING_IN];
  for (const [{ part }, { id }] of devices) {
    const inDays = part === 'expired' ? -EXPIRED_SINCE : part === 'expiring' ? soon.shift() : undefined;
    if (inDays === undefined) continue;
    const body = { expiresAt: addDays(today, inDays) };
    dataOf(await northlight.calls.devices.update({ params: { id }, body }), WHAT);
  }
}

const OPEN = [{ from: '08:00', to: '20:00' }];

/** Working hours of a museum that is closed today, and the levels of a window in the evening. */
export async function setHours({ northlight }: People, devices: Devices): Promise<void> {
  for (const [{ name }, { id, timeZone }] of devices) {
    const { date } = localTime(Date.now(), timeZone);
    const weekly = { 1: OPEN, 2: OPEN, 3: OPEN, 4: OPEN, 5: OPEN, 6: OPEN, 7: OPEN };
    const closedToday = { workingHours: { weekly, exceptions: [{ date, hours: [] }] } };
    const evening = { volume: 60, brightness: 100, brightnessHours: [{ from: '20:00', to: '07:00', value: 40 }] };
    const body =
      name === 'Museum Lane, counter' ? closedToday : name === 'Station Arcade, window' ? evening : undefined;
    if (body) dataOf(await northlight.calls.devices.update({ params: { id }, body }), WHAT);
  }
}

async function upload(server: string, { calls, token }: Caller, bytes: Buffer, sample: Sample): Promise<MediaFile> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  new Upload(bytes, {
    endpoint: `${server}/api/uploads`,
    headers: { authorization: `Bearer ${token()}` },
    metadata: { name: sample.name, orientation: sample.orientation, kind: String(sample.kind) },
    onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('file-id') ?? ''),
    onError: reject,
  }).start();
  const id = await promise;
  for (;;) {
    const file = dataOf(await calls.files.get({ params: { id } }), WHAT);
    if (file.state === 'ready') return file;
    if (file.state === 'failed') throw new Error(`${sample.name}: ${JSON.stringify(file.failure)}`);
    await new Promise((again) => setTimeout(again, 250));
  }
}

const DRAW: Record<Media, (sample: Sample, ffmpeg: string) => Promise<Buffer>> = {
  image: (sample) => drawPicture(sample),
  video: (sample, ffmpeg) => drawFilm(ffmpeg, sample),
};

/** Draws the pictures and films and uploads them as their owners would. */
export async function addFiles(server: string, people: People, ffmpeg: string): Promise<Files> {
  const files: Files = new Map();
  for (const sample of Object.values(SAMPLES)) {
    const media = fileKind(sample.orientation, sample.kind)?.media ?? 'image';
    const bytes = await DRAW[media](sample, ffmpeg);
    files.set(sample, await upload(server, people[sample.owner], bytes, sample));
  }
  return files;
}

type Choice = Omit<CreateReleaseBody, 'devices'>;

interface Made {
  id: string;
  owner: CustomerName;
}

/** Releases an ad to those of a user's devices that `where` chooses; its owner does it when nobody is named. */
export interface Releaser {
  (ad: Made, where: (place: Place) => boolean, choice?: Choice, by?: OwnerName): Promise<void>;
}

export function makeReleaser(people: People, devices: Devices): Releaser {
  return async (ad, where, choice = {}, by = ad.owner) => {
    const ids = [...devices].flatMap(([place, { id }]) => (place.owner === by && where(place) ? [id] : []));
    const body = { ...choice, devices: { ids } };
    dataOf(await people[by].calls.ads.release({ params: { id: ad.id }, body }), WHAT);
  };
}

/** Every ad by a name of its own. */
export async function addAds(people: People, files: Files) {
  async function make(
    owner: CustomerName,
    head: Omit<AdBody, 'regions'>,
    places: Partial<Record<Region, SampleName[]>>,
  ): Promise<Made> {
    const itemOf = (name: SampleName) => ({ kind: 'file' as const, fileId: files.get(SAMPLES[name])?.id ?? '' });
    const entries = Object.entries(places).map(([region, names]) => [region, names.map(itemOf)]);
    const body = { ...head, regions: Object.fromEntries(entries) };
    const { id } = dataOf(await people[owner].calls.ads.create({ body }), WHAT);
    return { id, owner };
  }
  const [mall, cafe] = ['harbourmall', 'lumencafe'] as const;
  return {
    welcome: await make(
      mall,
      { name: 'Welcome to the Mall', orientation: 'vertical', split: 'three', showClock: true },
      { top: ['welcome'], middle: ['sale'], bottom: ['parking'] },
    ),
    sale: await make(mall, { name: 'Autumn sale', orientation: 'vertical', split: 'full' }, { full: ['sale'] }),
    cinema: await make(
      mall,
      { name: 'Cinema on level 3', orientation: 'horizontal', split: 'three' },
      { left: ['popcorn'], middle: ['cinema'], right: ['tickets'] },
    ),
    thursday: await make(
      mall,
      { name: 'Late night Thursday', orientation: 'vertical', split: 'full' },
      { full: ['thursday'] },
    ),
    carPark: await make(
      mall,
      { name: 'Car park notice', orientation: 'vertical', split: 'full' },
      { full: ['carPark'] },
    ),
    coffee: await make(
      cafe,
      { name: 'Flat white and cake', orientation: 'vertical', split: 'two', fit: 'cover' },
      { top: ['coffee'], bottom: ['cake'] },
    ),
    terrace: await make(
      cafe,
      { name: 'Terrace open', orientation: 'horizontal', split: 'full' },
      { full: ['terrace'] },
    ),
    happyHour: await make(
      cafe,
      { name: 'Happy hour', orientation: 'vertical', split: 'full' },
      { full: ['happyHour'] },
    ),
  };
}

export type Ads = Awaited<ReturnType<typeof addAds>>;

/** Releases that have been playing for two weeks, also in the dealer's showroom. */
export async function releaseOld(release: Releaser, ads: Ads): Promise<void> {
  await release(ads.welcome, isUpright);
  await release(ads.sale, isUpright, { replace: false });
  await release(ads.cinema, (place) => !isUpright(place));
  await release(ads.coffee, isUpright);
  await release(ads.terrace, (place) => !isUpright(place));
  await release(ads.coffee, isUpright, {}, DEALER.username);
  await release(ads.cinema, (place) => !isUpright(place), {}, DEALER.username);
}

/** What the dealer's devices and those of its customers show while nothing else plays. */
export async function nameDefaults({ northlight }: People, { sale, cinema }: Ads): Promise<void> {
  const params = { id: northlight.id };
  dataOf(
    await northlight.calls.ads.changeDefaultContent({ params, body: { orientation: 'vertical', adId: sale.id } }),
    WHAT,
  );
  dataOf(
    await northlight.calls.ads.changeDefaultContent({ params, body: { orientation: 'horizontal', adId: cinema.id } }),
    WHAT,
  );
}

const WEEKDAYS = [1, 2, 3, 4, 5];

/** Releases of this morning: one in steps, one scheduled, one urgent. */
export async function releaseNew(release: Releaser, ads: Ads): Promise<void> {
  const stages = [{ percent: 20 }, { percent: 60 }, { percent: 100 }];
  const healthy = ({ part }: Place) => part === 'plays' || part === 'flaps' || part === 'away';
  await release(ads.thursday, (place) => isUpright(place) && healthy(place), { replace: false, stages });
  const schedule = { weekdays: WEEKDAYS, hours: [{ from: '16:00', to: '18:00' }] };
  await release(ads.happyHour, isUpright, { replace: false, schedule });
  await release(ads.carPark, ({ name }) => name.startsWith('Car park'), { replace: false, priority: 'urgent' });
}
