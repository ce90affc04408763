import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { session } from '../../platform/session.ts';
import { storage } from '../../platform/storage.ts';
import { KeptForms, type Place, useKeeping, useRestored } from './kept.ts';
import { Reloaded } from './reloaded.ts';

interface Note {
  text: string;
  /** The version that the note began with. */
  version: number;
}

const headerOf = (id: string) => encodeURIComponent(JSON.stringify({ id, username: id, name: id, access: 'operator' }));

/** Signs in `person`, a colleague of the account `office` unless `account` says otherwise. */
function signIn(person: string, account = 'office') {
  const headers: Record<string, string> = { role: 'leading', person: headerOf(person), current: headerOf(account) };
  storage.setToken('token', 60);
  session.take((name) => headers[name]);
}

afterEach(() => {
  session.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
});

/** A page with one note, stored in `version`. */
function NotePage({ forms, version = 1 }: { forms: KeptForms<Note>; version?: number }) {
  const { place, begun, discard } = useRestored(forms, '/note', () => ({ text: '', version }));
  return (
    <>
      {begun.isRestored && <button onClick={discard}>Discard</button>}
      <NoteForm key={begun.round} place={place} start={begun.state} />
    </>
  );
}

function NoteForm({ place, start }: { place: Place<Note>; start: Note }) {
  const [note, setNote] = useState(start);
  useKeeping(place, note, ({ text }) => text !== '');
  return (
    <label>
      {`Version ${note.version}`}
      <input value={note.text} onChange={({ target }) => setNote({ ...note, text: target.value })} />
    </label>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('textbox');
const isRestored = () => screen.queryByRole('button', { name: 'Discard' }) !== null;

/** Opens the page and types. */
async function write(forms: KeptForms<Note>, text: string) {
  const page = render(<NotePage forms={forms} />);
  await userEvent.type(field(), text);
  return page;
}

test('what was stored after its form was left waits in its new version, and nothing else begins to wait', () => {
  signIn('ann');
  const forms = new KeptForms<Note>();
  const place = forms.placeAt('/note');
  place.amend({ text: 'stored', version: 2 });
  expect(place.left()).toBeUndefined();
  place.keep({ text: 'half', version: 1 });
  place.amend({ text: 'stored', version: 2 });
  expect(place.left()).toEqual({ text: 'stored', version: 2 });
});

test('a form that was left unsaved comes back with the version it began with', async () => {
  signIn('ann');
  const forms = new KeptForms<Note>();
  (await write(forms, 'half')).unmount();
  render(<NotePage forms={forms} version={2} />);
  expect(isRestored()).toBe(true);
  expect(field().value).toBe('half');
  expect(screen.getByText('Version 1')).toBeDefined();
});

test('after "Discard" the form begins with what is stored now, and nothing is kept', async () => {
  signIn('ann');
  const forms = new KeptForms<Note>();
  (await write(forms, 'half')).unmount();
  const second = render(<NotePage forms={forms} version={2} />);
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(field().value).toBe('');
  expect(screen.getByText('Version 2')).toBeDefined();
  second.unmount();
  render(<NotePage forms={forms} />);
  expect(isRestored()).toBe(false);
});

test('a form in which nothing is unsaved any more is forgotten', async () => {
  signIn('ann');
  const forms = new KeptForms<Note>();
  (await write(forms, 'half')).unmount();
  const second = render(<NotePage forms={forms} />);
  await userEvent.clear(field());
  second.unmount();
  render(<NotePage forms={forms} />);
  expect(isRestored()).toBe(false);
});

test.each([
  ['a colleague on the same account', 'ben', 'office'],
  ['another account', 'cleo', 'shop'],
])('after a log-out %s does not find the form, and its person still does', async (_who, other, account) => {
  signIn('ann');
  const forms = new KeptForms<Note>();
  const left = await write(forms, 'half');
  session.clear();
  left.unmount();

  signIn(other, account);
  const theirs = render(<NotePage forms={forms} />);
  expect(isRestored()).toBe(false);
  expect(field().value).toBe('');
  theirs.unmount();
  session.clear();

  signIn('ann');
  render(<NotePage forms={forms} />);
  expect(field().value).toBe('half');
});

test('a form of a new tab, which learns later who is signed in, waits for that person', async () => {
  storage.setToken('token', 60);
  session.check();
  const forms = new KeptForms<Note>();
  const left = await write(forms, 'half');
  act(() => signIn('ann'));
  act(() => session.clear());
  left.unmount();

  signIn('ben');
  const theirs = render(<NotePage forms={forms} />);
  expect(isRestored()).toBe(false);
  theirs.unmount();
  signIn('ann');
  render(<NotePage forms={forms} />);
  expect(field().value).toBe('half');
});

/** Whether the browser asks before the page is reloaded or closed. */
const isAskedFor = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('before a reload the browser asks for what its person would lose, on the form and after leaving it', async () => {
  signIn('dora');
  const forms = new KeptForms<Note>();
  const untouched = render(<NotePage forms={forms} />);
  expect(isAskedFor()).toBe(false);
  untouched.unmount();
  const left = await write(forms, 'half');
  expect(isAskedFor()).toBe(true);
  left.unmount();
  expect(isAskedFor()).toBe(true);
  session.clear();
  expect(isAskedFor()).toBe(false);
  signIn('dora');
  render(<NotePage forms={forms} />);
  expect(isAskedFor()).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(isAskedFor()).toBe(false);
});

/** Hides the page of the browser, or shows it again. */
function setHidden(isHidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Another page of the same tab: nothing of the memory of the last one is left. */
const nextPage = (script = '/form-1.js') => new KeptForms(new Reloaded<Note>(script));

test('a form of a hidden page that the browser ends is there when the page is loaded again', async () => {
  signIn('emil');
  const ended = await write(nextPage(), 'half');
  setHidden(true);
  const other = nextPage('/form-2.js');
  expect(other.placeAt('/note').left()).toBeUndefined();
  expect(nextPage().placeAt('/note').left()).toEqual({ text: 'half', version: 1 });

  setHidden(false);
  expect(nextPage().placeAt('/note').left()).toBeUndefined();
  ended.unmount();
  render(<NotePage forms={nextPage()} version={2} />);
  expect(isRestored()).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  setHidden(true);
  expect(nextPage().placeAt('/note').left()).toBeUndefined();
});

test('whoever signs in in the same tab does not find a form of a page that the browser ended', async () => {
  signIn('emil');
  (await write(nextPage(), 'half')).unmount();
  signIn('ann');
  expect(nextPage().placeAt('/note').left()).toBeUndefined();
  signIn('emil');
  expect(nextPage().placeAt('/note').left()).toBeUndefined();
});

test('a browser without storage keeps a form that is left', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  signIn('ann');
  const forms = nextPage();
  (await write(forms, 'half')).unmount();
  render(<NotePage forms={forms} />);
  expect(field().value).toBe('half');
});

test.each(['before its person logs out', 'because its person logs out'])(
  'nothing of a form that is left %s stays in the tab after the log-out',
  async (when) => {
    signIn('ann');
    const forms = nextPage();
    const left = await write(forms, 'half');
    const isStored = () => Object.keys(sessionStorage).some((key) => key.startsWith('ams_'));
    if (when.startsWith('before')) {
      left.unmount();
      expect(isStored()).toBe(true);
    }
    act(() => session.clear());
    left.unmount();
    expect(isStored()).toBe(false);
    signIn('ann');
    expect(forms.placeAt('/note').left()).toEqual({ text: 'half', version: 1 });
  },
);
