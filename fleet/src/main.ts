import { type Counts, type Fleet, type Unpaired, startFleet } from './fleet.ts';
import { type Options, USAGE, UsageError, readOptions } from './options.ts';

const STATUS_MS = 3000;
/** A hanging server must not delay the fleet's shutdown. */
const STOP_MS = 3000;
const MIB = 2 ** 20;

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

const summary = ({ devices, paired, online, done, bytes, plays }: Counts): string =>
  [
    `${devices} devices`,
    ...(paired < devices ? [`${paired} paired`] : []),
    `${online} online`,
    `${done} done`,
    `${(bytes / MIB).toFixed(1)} MiB`,
    `${plays} plays`,
  ].join(' · ');

/** Advice for devices that are not paired. */
function advice(unpaired: Unpaired[], { operator, enrolmentKey }: Options): string | undefined {
  const [first, ...others] = unpaired.filter(({ code }) => code !== undefined);
  if (!first || operator) return undefined;
  const waiting = `${first.mac}${others.length > 0 ? ` and ${others.length} more wait` : ' waits'} to be paired`;
  return enrolmentKey === undefined
    ? `${waiting}: give --key, or --user and --password, or pair by hand (code ${first.code})`
    : `${waiting}: the server does not know the MAC, or the key is not its own`;
}

/** Stops on Ctrl-C. A second signal (npm forwards signals) is ignored. */
function stopOnSignal(fleet: Fleet, telling: NodeJS.Timeout): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    clearInterval(telling);
    setTimeout(() => process.exit(0), STOP_MS).unref();
    await fleet.stop();
    say(`stopped: ${summary(fleet.counts())}`);
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop().catch(giveUp));
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === 'help') return void process.stdout.write(USAGE);
  const fleet = await startFleet(options);
  say(`${options.devices} devices against ${options.server}; Ctrl-C stops them`);
  let advised: string | undefined;
  const tell = () => {
    const problem = fleet.problem();
    say(`${summary(fleet.counts())}${problem === undefined ? '' : ` · ${problem}`}`);
    const advise = advised === undefined ? advice(fleet.unpaired(), options) : undefined;
    if (advise !== undefined) say((advised = advise));
  };
  stopOnSignal(fleet, setInterval(tell, STATUS_MS));
}

/** An invalid command line or unusable server is reported in one line. */
function giveUp(error: unknown): never {
  const text = error instanceof UsageError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

main().catch(giveUp);
