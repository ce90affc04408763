import type { Programme } from '@ams/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeManifest, makeProgramme } from '../../test/programme.ts';
import type { Live } from '../store/ports.ts';
import { type SyncEffect, type SyncEvent, type SyncState, etagOf, initialState, transition } from './state.ts';

const SHA = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const file = { sha256: SHA, bytes: 100, mime: 'video/mp4', url: '/media/a' };
const DEVICE = { id: '01920000-0000-7000-8000-000000000001', mac: '02:00:00:00:00:01', name: '' };
const liveOf = (version: string): Live => ({
  manifest: makeManifest({ version, device: DEVICE, files: [file] }),
  etag: `"${version}"`,
});
const [ONE, TWO, THREE] = [liveOf('1'), liveOf('2'), liveOf('3')];

interface Run {
  state: SyncState;
  effects: SyncEffect[];
}

/** Sends events one after the other; the effects are those of the last one. */
const after = (state: SyncState, ...events: SyncEvent[]): Run =>
  events.reduce<Run>(
    (run, event) => {
      const { state: next, effects } = transition(run.state, event);
      return { state: next, effects: [...effects] };
    },
    { state, effects: [] },
  );

const begun = (live: Live | undefined, isComplete = true): SyncEvent => ({ type: 'begun', live, isComplete });
const fresh = (next: Live, isMissing = false): SyncEvent => ({ type: 'fresh', next, isMissing });
const asked: SyncEvent = { type: 'asked' };
const playing = after(initialState(true), begun(ONE)).state;
const kinds = (effects: readonly SyncEffect[]) => effects.map(({ type }) => type);

describe('the start', () => {
  test('plays the stored programme and reports it as done', () => {
    const { state, effects } = after(initialState(true), begun(ONE));
    expect(kinds(effects)).toEqual(['play', 'report']);
    expect(state).toMatchObject({ live: ONE, target: ONE, files: { kind: 'idle' } });
    expect(state.progress.download).toMatchObject({ state: 'done', totalBytes: 100 });
  });

  test('with files missing plays what is there and asks for the whole manifest', () => {
    const { state, effects } = after(initialState(true), begun(ONE, false));
    expect(kinds(effects)).toEqual(['play']);
    expect(state.files).toEqual({ kind: 'stale' });
    expect(etagOf(state)).toBeNull();
  });
});

describe('a manifest', () => {
  test('that is new is fetched; the old one plays until it is whole', () => {
    const coming = after(playing, asked, fresh(TWO));
    expect(coming.effects).toEqual([{ type: 'fill', goal: TWO }]);
    expect(coming.state).toMatchObject({ live: ONE, target: TWO, files: { kind: 'filling', goal: TWO } });
    const whole = after(coming.state, { type: 'filled', goal: TWO });
    expect(kinds(whole.effects)).toEqual(['play', 'report']);
    expect(whole.state).toMatchObject({ live: TWO, files: { kind: 'idle' }, refusals: 0 });
  });

  test('that is known changes nothing', () => {
    expect(after(playing, asked, fresh(ONE))).toMatchObject({ effects: [], state: { files: { kind: 'idle' } } });
  });

  test('that is newer takes over from one that is still coming', () => {
    const { state, effects } = after(playing, asked, fresh(TWO), asked, fresh(THREE));
    expect(effects).toEqual([{ type: 'fill', goal: THREE }]);
    // The older one had been kept just before it was stopped.
    expect(after(state, { type: 'filled', goal: TWO }).state).toMatchObject({
      live: TWO,
      files: { kind: 'filling', goal: THREE },
    });
  });

  test('without a store plays again with newer addresses', () => {
    const streaming = after(initialState(false), begun(ONE)).state;
    expect(etagOf(streaming)).toBeNull();
    expect(after(streaming, asked, fresh(ONE)).effects).toEqual([{ type: 'fill', goal: ONE }]);
  });

  test('that takes a release back changes what plays before it is whole', () => {
    const withdrawn = ONE.manifest.screens.main.map(({ releaseId }) => releaseId);
    const withdrawing = { ...TWO, manifest: { ...TWO.manifest, withdrawn } };
    const { state, effects } = after(playing, asked, fresh(withdrawing, true));
    expect(kinds(effects)).toEqual(['keep', 'play', 'fill']);
    expect(state.live).toMatchObject({ etag: null, manifest: { version: '1', screens: { main: [] } } });
    expect(after(playing, asked, fresh(withdrawing, false)).state.live).toBe(ONE);
  });
});

describe('a manifest of another device', () => {
  const device = { ...DEVICE, id: '01920000-0000-7000-8000-000000000002' };
  const merchant = { username: 'other', phone: null };
  const other: Live = { ...TWO, manifest: { ...TWO.manifest, device, merchant } };

  test('takes everything off the screens before it is whole, and keeps the files', () => {
    const { state, effects } = after(playing, asked, fresh(other, true));
    expect(kinds(effects)).toEqual(['keep', 'play', 'fill']);
    const { live } = state;
    expect(live).toMatchObject({ etag: null, manifest: { device, merchant, screens: { main: [], secondary: [] } } });
    expect(live?.manifest.files).toEqual(ONE.manifest.files);
    expect(kinds(after(state, asked, fresh(other, true)).effects)).toEqual([]);
    expect(after(state, { type: 'filled', goal: other }).state.live).toBe(other);
  });

  test('is fetched after a restart, too', () => {
    const live = after(playing, asked, fresh(other, true)).state.live;
    const { state } = after(initialState(true), begun(live));
    expect(etagOf(state)).toBeNull();
    expect(kinds(after(state, asked, fresh(other, true)).effects)).toEqual(['fill']);
  });

  test('plays at once when its files are there', () => {
    expect(after(playing, asked, fresh(other)).effects).toEqual([{ type: 'fill', goal: other }]);
  });
});

describe('the question', () => {
  test('requests the whole manifest after a notification, until it is answered', () => {
    const told = after(playing, { type: 'told', version: '2' });
    expect(kinds(told.effects)).toEqual(['ask']);
    expect(etagOf(told.state)).toBeNull();
    const failed = after(told.state, asked, { type: 'unanswered' }).state;
    expect(etagOf(failed)).toBeNull();
    expect(etagOf(after(failed, asked, { type: 'same' }).state)).toBe('"1"');
  });

  test('is repeated for notifications that arrive while it is running', () => {
    const state = after(playing, asked, { type: 'told', version: '2' }, { type: 'same' }).state;
    expect(state.question).toEqual({ kind: 'waiting', isTold: true, failures: 0 });
  });

  test('is not asked after a notification of the known manifest', () => {
    expect(after(playing, { type: 'told', version: '1' })).toEqual({ state: playing, effects: [] });
  });

  test('is asked when the network is back only if something waits for it', () => {
    expect(kinds(after(playing, { type: 'online' }).effects)).toEqual(['goOnFilling']);
    expect(kinds(after(playing, asked, { type: 'unanswered' }, { type: 'online' }).effects)).toContain('ask');
    expect(kinds(after(playing, { type: 'retry' }, { type: 'online' }).effects)).toContain('ask');
  });
});

describe('what goes wrong', () => {
  test('refused addresses are asked for afresh, and counted until a manifest is whole', () => {
    const { state, effects } = after(playing, asked, fresh(TWO), { type: 'refused' });
    expect(kinds(effects)).toEqual(['ask']);
    expect(state).toMatchObject({ files: { kind: 'stale' }, refusals: 1 });
    const again = after(state, asked, fresh(TWO));
    expect(kinds(again.effects)).toEqual(['fill']);
    expect(after(again.state, { type: 'filled', goal: TWO }).state.refusals).toBe(0);
  });

  test('a retry during downloads fetches the rest from new addresses', () => {
    const { state } = after(playing, asked, fresh(TWO), { type: 'retry' });
    expect(state.files).toEqual({ kind: 'filling', goal: TWO, isStale: true });
    expect(after(state, { type: 'filled', goal: TWO }).state.files).toEqual({ kind: 'stale' });
    expect(kinds(after(state, asked, fresh(TWO)).effects)).toEqual(['fill']);
  });

  test('a damaged file is dropped, reported and fetched; a sound one is not looked at again', () => {
    expect(after(playing, { type: 'suspected', sha256: SHA }).effects).toEqual([{ type: 'check', file }]);
    const damaged = after(playing, { type: 'checked', file, found: 'damaged' });
    expect(kinds(damaged.effects)).toEqual(['drop', 'report', 'ask']);
    expect(damaged.state.progress.download).toMatchObject({ state: 'failed', reason: 'checksum', doneBytes: 0 });
    expect(damaged.state.files).toEqual({ kind: 'stale' });
    const sound = after(playing, { type: 'checked', file, found: 'sound' }).state;
    expect(after(sound, { type: 'suspected', sha256: SHA }).effects).toEqual([]);
  });

  test('a file is not suspected while files come, nor one that no manifest needs', () => {
    expect(after(playing, { type: 'suspected', sha256: OTHER }).effects).toEqual([]);
    expect(after(playing, asked, fresh(TWO), { type: 'suspected', sha256: SHA }).effects).toEqual([]);
  });

  test('files that the browser has cleared are reported once', () => {
    const gone = after(playing, { type: 'filesGone' });
    expect(gone.state.progress.download).toMatchObject({ state: 'failed', reason: 'storage' });
    expect(after(gone.state, { type: 'filesGone' }).effects).toEqual([]);
  });

  test('a broken storage is reported and the manifest is asked for afresh at the next poll', () => {
    const { state, effects } = after(playing, asked, fresh(TWO), { type: 'storageFailed' });
    expect(kinds(effects)).toEqual(['report']);
    expect(state.progress).toMatchObject({ manifestVersion: '2', download: { state: 'failed', reason: 'storage' } });
    expect(etagOf(state)).toBeNull();
  });
});

test('nothing is fetched while everything is being deleted, and all of it afterwards', () => {
  const clearing = after(playing, asked, fresh(TWO), { type: 'clear' });
  expect(kinds(clearing.effects)).toEqual(['deleteAll']);
  expect(after(clearing.state, { type: 'clear' }).effects).toEqual([]);
  const heard = after(clearing.state, asked, fresh(THREE));
  expect(heard).toMatchObject({ effects: [], state: { target: THREE, files: { kind: 'clearing' } } });
  const cleared = after(heard.state, { type: 'cleared' });
  expect(kinds(cleared.effects)).toEqual(['ask']);
  expect(kinds(after(cleared.state, asked, fresh(THREE)).effects)).toEqual(['fill']);
});

const [URGENT, LATER] = [makeProgramme({ priority: 'takeover' }), makeProgramme({ priority: 'takeover' })];
/** A takeover of the main screen as the server pushes it. */
const pushOf = (programme: Programme) => ({
  screens: { main: [programme], secondary: [] },
  files: [{ ...file, sha256: OTHER, url: '/media/b' }],
});
const takeoverIn = ({ manifest }: Live): boolean =>
  manifest.screens.main.some(({ priority }) => priority === 'takeover');
const pushed: SyncEvent = { type: 'tookOver', takeovers: pushOf(URGENT) };

describe('a takeover', () => {
  const added = { screens: { main: [...ONE.manifest.screens.main, URGENT], secondary: [] } };

  test('that is pushed plays above what plays once its own files are there', () => {
    const coming = after(playing, pushed);
    expect(kinds(coming.effects)).toEqual(['fill']);
    expect(coming.state).toMatchObject({ live: ONE, files: { kind: 'filling', isStale: false } });
    const goal = coming.state.target ?? ONE;
    expect(goal.manifest).toMatchObject({ ...added, version: `takeover ${URGENT.releaseId}` });
    const whole = after(coming.state, { type: 'filled', goal });
    expect(kinds(whole.effects)).toEqual(['play', 'report']);
    expect(whole.state).toMatchObject({ live: goal, files: { kind: 'idle' } });
    // The whole manifest with it is asked for when it is the turn of this device.
    expect(etagOf(whole.state)).toBeNull();
    expect(after(whole.state, pushed)).toEqual({ state: whole.state, effects: [] });
  });

  test('does not wait for a manifest that is being fetched; that is asked for again afterwards', () => {
    const coming = after(playing, asked, fresh(TWO), pushed);
    const goal = coming.state.target ?? ONE;
    expect(goal.manifest).toMatchObject(added);
    const whole = after(coming.state, { type: 'filled', goal });
    expect(kinds(whole.effects)).toEqual(['play', 'report', 'ask']);
    expect(after(whole.state, asked, fresh(TWO)).effects).toEqual([{ type: 'fill', goal: TWO }]);
  });

  test('in a manifest that lacks other files plays first', () => {
    const main = [...TWO.manifest.screens.main, URGENT];
    const next: Live = { ...TWO, manifest: { ...TWO.manifest, screens: { main, secondary: [] } } };
    const coming = after(playing, asked, fresh(next, true));
    const goal = coming.state.target ?? ONE;
    expect(goal.manifest).toMatchObject(added);
    const whole = after(coming.state, { type: 'filled', goal });
    expect(kinds(whole.effects)).toEqual(['play', 'report', 'ask']);
    expect(after(whole.state, asked, fresh(next, true)).effects).toEqual([{ type: 'fill', goal: next }]);
    expect(after(playing, asked, fresh(next)).effects).toEqual([{ type: 'fill', goal: next }]);
  });

  test('that arrives while a file of what plays is missing takes the newer address of that file', () => {
    const main = [...TWO.manifest.screens.main, URGENT];
    const newer = { ...file, url: '/media/a?newer' };
    const next: Live = { ...TWO, manifest: { ...TWO.manifest, files: [newer], screens: { main, secondary: [] } } };
    const begins = after(initialState(true), begun(ONE, false)).state;
    const coming = after(begins, asked, fresh(next, true));
    expect(coming.state.target?.manifest).toMatchObject({ ...added, files: [newer] });
    // Its own address was refused: the whole manifest has only addresses that are good.
    const refused = after(coming.state, { type: 'refused' }, asked, fresh(next, true));
    expect(refused.effects).toEqual([{ type: 'fill', goal: next }]);
  });

  test('that has ended leaves the screen at once, or does not begin', () => {
    const ended: SyncEvent = { type: 'takenBack', releaseId: URGENT.releaseId };
    const coming = after(playing, pushed);
    const stopped = after(coming.state, ended);
    expect(kinds(stopped.effects)).toEqual(['fill']);
    expect(stopped.state.target?.manifest.screens).toEqual(ONE.manifest.screens);
    const shown = after(coming.state, { type: 'filled', goal: coming.state.target ?? ONE }).state;
    const over = after(shown, ended);
    expect(kinds(over.effects)).toEqual(['keep', 'play']);
    expect(over.state.live?.manifest.screens).toEqual(ONE.manifest.screens);
    expect(after(over.state, ended).effects).toEqual([]);
  });

  test('begins before the first content of a device is whole', () => {
    const first = after(initialState(true), asked, fresh(TWO)).state;
    const coming = after(first, pushed);
    const goal = coming.state.target ?? ONE;
    expect(coming.state.files).toEqual({ kind: 'filling', goal, isStale: true });
    expect(goal.manifest).toMatchObject({ screens: { main: [URGENT], secondary: [] }, files: [] });
    expect(kinds(after(coming.state, { type: 'filled', goal }).effects)).toEqual(['play', 'report', 'ask']);
  });

  test('is asked for by a device that has no manifest yet', () => {
    expect(kinds(after(initialState(true), pushed).effects)).toEqual(['ask']);
  });
});

const someLive = fc.constantFrom(ONE, TWO, THREE);
const someSha = fc.constantFrom(SHA, OTHER);
const someEvent: fc.Arbitrary<SyncEvent> = fc.oneof(
  fc.constantFrom<SyncEvent>(
    { type: 'ended' },
    asked,
    { type: 'same' },
    { type: 'unanswered' },
    { type: 'online' },
    { type: 'retry' },
    { type: 'clear' },
    { type: 'cleared' },
    { type: 'refused' },
    { type: 'storageFailed' },
    { type: 'filesGone' },
  ),
  fc.record({ type: fc.constant('begun'), live: fc.option(someLive, { nil: undefined }), isComplete: fc.boolean() }),
  fc.record({ type: fc.constant('fresh'), next: someLive, isMissing: fc.boolean() }),
  fc.record({ type: fc.constant('filled'), goal: someLive }),
  fc.record({ type: fc.constant('tookOver'), takeovers: fc.constantFrom(pushOf(URGENT), pushOf(LATER)) }),
  fc.record({ type: fc.constant('takenBack'), releaseId: fc.constantFrom(URGENT.releaseId, LATER.releaseId) }),
  fc.record({ type: fc.constant('told'), version: fc.constantFrom('1', '2', '3', undefined) }),
  fc.record({ type: fc.constant('suspected'), sha256: someSha }),
  fc.record({
    type: fc.constant('checked'),
    file: fc.constant(file),
    found: fc.constantFrom('sound', 'damaged', 'missing'),
  }),
);
const someEvents = fc.array(someEvent, { maxLength: 40 });

/** Every state on the way, with what led to it. */
function* walk(hasStore: boolean, events: readonly SyncEvent[]) {
  let before = initialState(hasStore);
  for (const event of events) {
    const { state, effects } = transition(before, event);
    yield { before, event, state, effects };
    before = state;
  }
}

describe('no sequence of events', () => {
  test('fetches anything but the newest manifest, or without its effect', () => {
    fc.assert(
      fc.property(fc.boolean(), someEvents, (hasStore, events) => {
        for (const { before, event, state, effects } of walk(hasStore, events)) {
          const fills = effects.flatMap((effect) => (effect.type === 'fill' ? [effect.goal] : []));
          if (state.files.kind === 'filling') expect(state.files.goal).toBe(state.target);
          const isNew =
            state.files.kind === 'filling' &&
            (before.files.kind !== 'filling' || before.files.goal !== state.files.goal);
          if (isNew) expect(fills).toHaveLength(1);
          // Takeovers come first; then the rest of the manifest is asked for again, also when one ends before it came.
          const isFirst = event.type === 'takenBack' || fills.some((goal) => takeoverIn(goal));
          const isStale = isFirst && state.files.kind === 'filling' && state.files.isStale;
          for (const goal of fills) expect(state.files).toEqual({ kind: 'filling', goal, isStale });
          expect(kinds(effects).includes('deleteAll')).toBe(
            state.files.kind === 'clearing' && before.files.kind !== 'clearing',
          );
        }
      }),
    );
  });

  test('changes what plays or what is reported without saying so', () => {
    fc.assert(
      fc.property(fc.boolean(), someEvents, (hasStore, events) => {
        for (const { before, event, state, effects } of walk(hasStore, events)) {
          const plays = effects.flatMap((effect) => (effect.type === 'play' ? [effect.live] : []));
          const reports = effects.flatMap((effect) => (effect.type === 'report' ? [effect.progress] : []));
          if (state.live && state.live !== before.live) expect(plays.at(-1)).toBe(state.live);
          if (plays.length === 0 && event.type !== 'begun') expect(state.live).toBe(before.live);
          expect(state.progress).toBe(reports.at(-1) ?? before.progress);
        }
      }),
    );
  });

  test('sends an ETag while something is missing or an announced manifest was not received', () => {
    fc.assert(
      fc.property(fc.boolean(), someEvents, (hasStore, events) => {
        for (const { state } of walk(hasStore, events)) {
          const isGood = state.files.kind === 'idle' || (state.files.kind === 'filling' && !state.files.isStale);
          if (!hasStore || !isGood) expect(etagOf(state)).toBeNull();
          const news: SyncEvent = { type: 'told', version: '4' };
          expect(etagOf(after(state, news, asked, { type: 'unanswered' }).state)).toBeNull();
          expect(etagOf(after(state, asked, news, { type: 'same' }).state)).toBeNull();
        }
      }),
    );
  });

  test('leads to a state from which the next manifest does not play', () => {
    fc.assert(
      fc.property(fc.boolean(), someEvents, (hasStore, events) => {
        const reached = [...walk(hasStore, events)].at(-1)?.state ?? initialState(hasStore);
        const ready = reached.files.kind === 'clearing' ? after(reached, { type: 'cleared' }).state : reached;
        const next = liveOf('4');
        const coming = after(ready, asked, fresh(next));
        expect(kinds(coming.effects)).toContain('fill');
        expect(after(coming.state, { type: 'filled', goal: next }).state).toMatchObject({
          live: next,
          target: next,
          files: { kind: 'idle' },
          question: { kind: 'waiting', failures: 0 },
          progress: { download: { state: 'done' } },
          refusals: 0,
        });
      }),
    );
  });
});
