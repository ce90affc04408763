import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type BadgeState, StateBadge } from './StateBadge.tsx';

const STATES: BadgeState[] = ['online', 'offline', 'planned', 'waiting', 'done', 'failed', 'expired', 'expiring'];

test('every state has a word and a sign of its own, so that colour is not needed', () => {
  const looks = STATES.map((state) => {
    const { container, unmount } = render(<StateBadge state={state} />);
    const badge = container.firstElementChild;
    const look = { word: badge?.textContent ?? '', sign: badge?.firstElementChild?.outerHTML ?? '' };
    unmount();
    return look;
  });
  expect(looks.every(({ word, sign }) => word !== '' && sign !== '')).toBe(true);
  expect(new Set(looks.map(({ word }) => word)).size).toBe(STATES.length);
});

test('a text replaces the word', () => {
  const { container } = render(<StateBadge state="waiting" text="Waiting 40 %" />);
  expect(container.textContent).toBe('Waiting 40 %');
});
