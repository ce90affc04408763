import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Ends, endAll, giveUp, localOrigin, makeLog, serve, stopOnSignal } from '../server/src/main.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { addCampaigns } from './campaigns.ts';
import { ADMIN, COLLEAGUE, CUSTOMERS, DEALER, PASSWORD, PLACES, type Part, type Place } from './cast.ts';
import { age, remember } from './history.ts';
import { type Running, startDevices } from './devices.ts';
import {
  addAds,
  addFiles,
  addGroups,
  addDevices,
  addPeople,
  makeReleaser,
  nameDefaults,
  releaseNew,
  releaseOld,
  setExpiry,
  setHours,
} from './seed.ts';
import { finishFolder, openFolder, readSettings, requireFfmpeg } from './setting.ts';

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

const isAway = ({ part }: Place): boolean => part === 'away';
const HEALTHY = new Set<Part>(['plays', 'flaps', 'expired', 'expiring', 'away']);
/** On a slow computer the start continues without the rest, which follow later. */
const PATIENCE_MS = 60_000;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await wait(200)) if (await condition()) return;
}

const allDone = ({ devices }: Running): boolean =>
  [...devices].every(([{ part }, { gauge }]) => !HEALTHY.has(part) || (gauge.online && gauge.done));

const online = async (db: Db): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from devices where lease is not null`.execute(db)).rows[0]?.n ?? 0;

interface Stage {
  origin: string;
  db: Db;
  ffmpeg: string;
  /** Switches devices on. */
  start(chosen: (place: Place) => boolean): Promise<Running>;
}

/** Everything from the dealer to two weeks of history. Answers the devices that run. */
async function setUp({ origin, db, ffmpeg, start }: Stage): Promise<Running> {
  say('Adding a dealer, two customers and 38 devices …');
  const people = await addPeople(origin);
  const devices = await addDevices(people);
  await addGroups(people);
  say('Drawing films and pictures …');
  const ads = await addAds(people, await addFiles(origin, people, ffmpeg));
  const release = makeReleaser(people, devices);
  await releaseOld(release, ads);
  await nameDefaults(people, ads);
  await setExpiry(people, devices);
  await setHours(people, devices);
  say('Switching the devices on …');
  const running = await start(({ part }) => part !== 'known');
  await until(() => allDone(running));
  await age(db);
  const before = await online(db);
  await running.stop(isAway);
  const leaving = PLACES.filter(isAway).length;
  await until(async () => (await online(db)) <= before - leaving);
  await releaseNew(release, ads);
  await addCampaigns(db, people, devices, ads, Date.now());
  await remember(db, devices, Date.now());
  return running;
}

async function banner(origin: string, running: Running, data: string): Promise<string> {
  const strangers = [...running.devices].filter(([{ part }]) => part === 'new').map(([, device]) => device);
  const codes = () =>
    strangers.flatMap(({ mac, gauge: { pairing } }) =>
      pairing.state === 'waiting' && pairing.code !== undefined ? [`${mac} (code ${pairing.code})`] : [],
    );
  await until(() => strangers.every(({ gauge }) => gauge.pairing.state !== 'unknown'));
  const waiting = codes();
  return [
    '',
    `  The demo runs, with ${PLACES.length} devices in every state`,
    '',
    `  Address:    ${origin}/`,
    `  Dealer:     ${DEALER.username}`,
    `  Customers:  ${CUSTOMERS.map(({ username }) => username).join(', ')}`,
    `  Colleague:  ${COLLEAGUE.username} (read-only)`,
    `  First user: ${ADMIN}`,
    `  Password:   ${PASSWORD} for all of them`,
    '',
    `  Player:     ${origin}/player/   open it in a second window: a device of your own`,
    ...(waiting.length > 0 ? [`  To pair:    ${waiting.join(', ')}`] : []),
    '',
    `  Ctrl-C stops everything; the data stay in ${data}`,
    '',
    '',
  ].join('\n');
}

async function perform(ends: Ends): Promise<void> {
  const config = readSettings(process.env);
  await requireFfmpeg(config);
  const folder = await openFolder(config);
  say('Starting the server …');
  const server = await serve(config, makeLog(config), ends);
  const origin = localOrigin(server, config);
  const start: Stage['start'] = async (chosen) => {
    const running = await startDevices(origin, config.enrolmentKey, path.join(config.data, 'fleet.json'), chosen);
    ends.push(() => running.stop(() => true));
    return running;
  };
  const { db } = server.deps;
  const running =
    folder === 'new'
      ? await setUp({ origin, db, ffmpeg: config.ffmpeg, start })
      : await start((place) => place.part !== 'known' && !isAway(place));
  if (folder === 'new') await finishFolder(config);
  process.stdout.write(await banner(config.publicUrl ?? origin, running, config.data));
}

async function main(): Promise<void> {
  const ends: Ends = [];
  const started = perform(ends);
  stopOnSignal(started, ends);
  try {
    await started;
  } catch (error) {
    await endAll(ends);
    throw error;
  }
}

main().catch(giveUp);
