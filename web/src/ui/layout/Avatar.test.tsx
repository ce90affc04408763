import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { joined } from '../format/bidi.ts';
import { Avatar } from './Avatar.tsx';

test.each([
  ['a name', 'northlight', 'n'],
  ['a name of the other direction, which is isolated', joined(['ليلى', 'lumencafe']), 'ل'],
  ['a letter outside of the first plane', '𠮷野家', '𠮷'],
])('shows the first letter of %s', (_, name, letter) => {
  expect(render(<Avatar name={name} />).container.textContent).toBe(letter);
});
