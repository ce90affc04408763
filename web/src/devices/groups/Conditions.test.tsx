import { GroupFilter, LANGUAGES, type ShownFilter } from '@ams/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, expect, test } from 'vitest';
import type { z } from 'zod';
import { ApiError } from '../../platform/api.ts';
import { LANGUAGE_PACKS } from '../../locales/packs.ts';
import { adNameQuery, ownerNameQuery } from '../../queries/conditions.ts';
import { ConditionsCard } from './Conditions.tsx';

type Conditions = z.output<typeof ShownFilter>;
const ID = '0190a000-0000-7000-8000-000000000001';
const owner = { id: ID, username: 'northlight', phone: null };

/** Every condition with each of its kinds of value, and the rows that say it in English, chip by chip. */
const EXAMPLES: { [Key in keyof Conditions]-?: readonly [NonNullable<Conditions[Key]>, ...string[]][] } = {
  q: [['Station', 'Search: Station']],
  owner: [[ID, 'Owner: harbourmall']],
  online: [
    [true, 'Connection: Online'],
    [false, 'Connection: Offline'],
  ],
  paired: [
    [true, 'Pairing: Paired'],
    [false, 'Pairing: Not paired'],
  ],
  dark: [
    [true, 'Working hours: Dark on purpose'],
    [false, 'Working hours: In working hours'],
  ],
  download: [
    ['waiting', 'Content: Download waiting'],
    ['done', 'Content: Download done'],
    ['failed', 'Content: Download failed'],
    ['stalled', 'Content: Waiting for over an hour'],
  ],
  expiry: [
    ['expired', 'Expiry: Expired'],
    ['expiring', 'Expiry: Expires soon'],
    ['valid', 'Expiry: Valid'],
  ],
  orientation: [['vertical', 'Orientation: Vertical screen']],
  fits: [['horizontal', 'Orientation: Horizontal screen, or not reported yet']],
  ad: [[ID, 'Ad released to it: Autumn']],
  releasedAd: [[ID, 'Ad released to it, without campaigns: Autumn']],
  area: [['Lyon', 'Area: Lyon']],
  tags: [
    [
      { all: ['lyon', 'portrait'], any: ['bakery', 'café'], none: ['outdoors'] },
      'All of these tags: lyon | portrait',
      'At least one of these tags: bakery | café',
      'None of these tags: outdoors',
    ],
  ],
};

/** What it has is not asked for again. */
const newClient = () => new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retryOnMount: false } } });

function show(filter: Conditions): string[] {
  const client = newClient();
  client.setQueryData([...ownerNameQuery(ID).queryKey], 'harbourmall');
  client.setQueryData([...adNameQuery(ID).queryKey], 'Autumn');
  const { container, unmount } = render(
    <QueryClientProvider client={client}>
      <ConditionsCard filter={filter} owner={owner} />
    </QueryClientProvider>,
  );
  const rows = [...container.querySelectorAll('dl > div')].map((row) => {
    const chips = [...row.querySelectorAll('dd li')].map((chip) => chip.textContent);
    return `${row.querySelector('dt')?.textContent}: ${chips.join(' | ')}`;
  });
  unmount();
  return rows;
}

afterEach(() => i18next.changeLanguage('en'));

const all = Object.entries(EXAMPLES).flatMap(([key, examples]) =>
  examples.map(([value, ...rows]) => ({ filter: { [key]: value }, rows })),
);

test('the examples are all conditions that a group can have', () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(Object.keys(GroupFilter.shape).toSorted());
});

test.each(all)('$filter is said in words', ({ filter, rows }) => {
  expect(show(filter)).toEqual(rows);
});

test('several conditions are all said', () => {
  expect(show({ area: 'Lyon', tags: { none: ['outdoors'] }, online: false })).toEqual([
    'None of these tags: outdoors',
    'Area: Lyon',
    'Connection: Offline',
  ]);
});

test('a user and an ad that were deleted are named as such', () => {
  const client = newClient();
  const failure = { code: 404, message: 'Not found', error: 'NOT_FOUND' } as const;
  for (const { queryKey } of [ownerNameQuery(ID), adNameQuery(ID)]) {
    const query = client.getQueryCache().build(client, { queryKey: [...queryKey] });
    query.setState({ status: 'error', error: new ApiError(failure), fetchStatus: 'idle' });
  }
  const { container } = render(
    <QueryClientProvider client={client}>
      <ConditionsCard filter={{ owner: ID, ad: ID }} owner={owner} />
    </QueryClientProvider>,
  );
  expect([...container.querySelectorAll('dd')].map(({ textContent }) => textContent)).toEqual(['deleted', 'deleted']);
});

test('a group without conditions says whose devices are in it', () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ConditionsCard filter={{}} owner={owner} />
    </QueryClientProvider>,
  );
  expect(screen.getByText('No filter: all devices of northlight and of the users below')).toBeTruthy();
});

test.each(LANGUAGES)('each condition has words of its own in %s', async (language) => {
  for (const [namespace, texts] of Object.entries(await (LANGUAGE_PACKS[language] ?? LANGUAGE_PACKS.en).texts()))
    i18next.addResourceBundle(language, namespace, texts);
  await i18next.changeLanguage(language);
  const rows = all.flatMap(({ filter }) => show(filter));
  expect(new Set(rows).size).toBe(all.flatMap(({ rows: english }) => english).length);
  expect(rows.filter((row) => /^: |: $|[a-z][A-Z]/.test(row))).toEqual([]);
});
