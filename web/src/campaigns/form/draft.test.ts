import type { Campaign } from '@ams/contract';
import { expect, test } from 'vitest';
import { decimalOf } from './decimal.ts';
import {
  availabilityBodyOf,
  bodyOf,
  type CampaignDraft,
  canStand,
  copyOf,
  currencyOf,
  devicesOf,
  draftOf,
  goalText,
  isSame,
  issuesOf,
  newDraft,
} from './draft.ts';
import { levelOf, weekOf } from './week.ts';

const TODAY = '2026-11-22';
const id = (digit: number): string => `0190a000-0000-7000-8000-00000000000${digit}`;
const poster = { id: id(1), name: 'Poster', orientation: 'vertical' as const };

const fresh = (changes: Partial<CampaignDraft> = {}): CampaignDraft => ({
  ...newDraft({
    today: TODAY,
    ad: poster,
    customer: undefined,
    target: { kind: 'group', group: id(2) },
    price: undefined,
    currency: 'EUR',
  }),
  ...changes,
});
const rules = (draft: CampaignDraft) =>
  issuesOf(draft, TODAY).map(({ path, message }) => [path.map(String).join('.'), message]);

test('a new campaign begins tomorrow, runs for four weeks and lacks only its price', () => {
  const draft = fresh();
  expect(draft.schedule).toMatchObject({ from: '2026-11-23', to: '2026-12-20' });
  expect(rules(draft)).toEqual([['price.amount', 'amount.invalid']]);
  expect(bodyOf({ ...draft, price: { ...draft.price, amount: '12,50' } })).toMatchObject({
    name: 'Poster',
    adIds: [poster.id],
    devices: { group: id(2) },
    goal: { kind: 'perHour', value: 6 },
    price: { kind: 'perThousand', amount: '12.50', currency: 'EUR' },
  });
});

test('what is free is asked for without a name and a price', () => {
  expect(availabilityBodyOf(fresh({ name: '' }), TODAY)).toMatchObject({ adIds: [poster.id] });
  expect(availabilityBodyOf(fresh({ ads: [] }), TODAY)).toBeUndefined();
  expect(availabilityBodyOf(fresh({ target: { kind: 'group', group: undefined } }), TODAY)).toBeUndefined();
  expect(availabilityBodyOf(fresh({ goal: { kind: 'share', value: 'many' } }), TODAY)).toBeUndefined();
});

test('each mistake is named at its field', () => {
  const price = { kind: 'fixed' as const, amount: '1.5', currency: 'JPY' };
  expect(rules(fresh({ price }))).toEqual([['price.amount', 'amount.minorUnits']]);
  const schedule = { from: '2026-11-20', to: '2026-11-21', weekdays: [], hours: [] };
  expect(rules(fresh({ schedule, price: { ...price, amount: '2' } }))).toEqual([['schedule.to', 'campaign.past']]);
  const turned = [poster, { id: id(3), name: 'Wide', orientation: 'horizontal' as const }];
  expect(rules(fresh({ ads: turned, price: { ...price, amount: '2' } }))).toEqual([['adIds', 'campaign.orientation']]);
  expect(rules(fresh({ goal: { kind: 'total', value: '' } })).map(([path]) => path)).toContain('goal.value');
  expect(rules(fresh({ target: { kind: 'chosen', devices: [] } })).map(([path]) => path)).toContain('devices');
});

test('a price with twenty digits is refused in words and kept as it was typed', () => {
  const price = { kind: 'perPlay' as const, amount: '12345678901234567890', currency: 'EUR' };
  expect(rules(fresh({ price }))).toEqual([['price.amount', 'amount.invalid']]);
});

test('numbers are read as people of each language type them', () => {
  expect(['12,50', '12.50', ' 1 000 ', '١٢٫٥٠', '１２．５０', '1.000,50'].map(decimalOf)).toEqual([
    '12.50',
    '12.50',
    '1000',
    '12.50',
    '12.50',
    '1.000,50',
  ]);
});

test('a number whose mark separates thousands is refused, not taken for a thousandth of it', () => {
  for (const value of ['1,000', '1.000', '12,500']) {
    expect(rules(fresh({ goal: { kind: 'total', value } })).map(([path]) => path)).toContain('goal.value');
  }
  const price = { kind: 'fixed' as const, amount: '1.500', currency: 'EUR' };
  expect(rules(fresh({ price }))).toEqual([['price.amount', 'amount.invalid']]);
  // Parts of a cent, per play, are no thousands.
  expect(['0.050', '0,120', '1.125'].map(decimalOf)).toEqual(['0.050', '0.120', '1.125']);
});

test('a stored amount with three decimals is not taken for thousands', () => {
  const price = { kind: 'perPlay' as const, amount: '1.250', currency: 'EUR' };
  const draft = newDraft({
    today: '2026-11-23',
    ad: undefined,
    customer: undefined,
    target: { kind: 'all' },
    price,
    currency: 'EUR',
  });
  expect(draft.price.amount).toBe('1.25');
  expect(rules(fresh({ price: draft.price }))).toEqual([]);
});

test('targets become what the contract takes', () => {
  expect(devicesOf({ kind: 'all' }, 'vertical')).toEqual({ filter: { fits: 'vertical' } });
  expect(devicesOf({ kind: 'matching', filter: { q: 'lyon' } }, 'vertical')).toEqual({ filter: { q: 'lyon' } });
  expect(devicesOf({ kind: 'chosen', devices: [{ id: 'a', orientation: null }] }, undefined)).toEqual({ ids: ['a'] });
  expect(canStand({ kind: 'matching', filter: { online: true } })).toBe(false);
  expect(canStand({ kind: 'group', group: id(2) })).toBe(true);
});

const stored: Campaign = {
  id: id(9),
  name: 'Autumn',
  customer: { id: id(4), username: 'mia', phone: null },
  customerId: id(4),
  state: 'booked',
  phase: 'completed',
  actions: [],
  orientation: 'vertical',
  adIds: [poster.id],
  creatives: [
    { ad: { id: poster.id, name: poster.name }, releaseId: null, spotMs: null },
    { ad: null, releaseId: null, spotMs: null },
  ],
  changed: false,
  devices: { group: id(2) },
  group: { id: id(2), name: 'Shops' },
  deviceCount: 3,
  standing: true,
  schedule: { from: '2026-10-01', to: '2026-10-31', hours: [{ from: '09:00', to: '18:00' }] },
  goal: { kind: 'share', value: 12.5 },
  price: { kind: 'fixed', amount: '100', currency: 'EUR' },
  ordered: 100,
  progress: null,
  remark: null,
  createdBy: null,
  createdAt: '2026-09-01T00:00:00.000Z',
  updatedAt: '2026-09-01T00:00:00.000Z',
  requestedBy: null,
  requestedAt: null,
  decidedBy: null,
  decidedAt: null,
  cancelledBy: null,
  cancelledAt: null,
};

test('a stored campaign is in the form as it was written, and a copy of one that has ended begins anew', () => {
  expect(bodyOf(draftOf(stored))).toMatchObject({
    customerId: id(4),
    adIds: [poster.id],
    devices: { group: id(2) },
    standing: true,
    schedule: stored.schedule,
    goal: stored.goal,
    price: stored.price,
  });
  expect(copyOf(stored, TODAY).schedule).toMatchObject({ from: '2026-11-23', to: '2026-12-20' });
  expect(copyOf(stored, '2026-10-05').schedule).toMatchObject({ from: '2026-10-01', to: '2026-10-31' });
});

test('a draft is the same as what is stored when it would send the same', () => {
  const draft = draftOf(stored);
  expect(isSame(draft, stored)).toBe(true);
  expect(isSame({ ...draft, price: { ...draft.price, amount: ' 100 ' } }, stored)).toBe(true);
  // The server stores a customer's campaign as its own.
  expect(isSame({ ...draft, customer: undefined }, stored)).toBe(true);
  expect(isSame({ ...draft, name: 'Winter' }, stored)).toBe(false);
});

test('a draft that cannot be sent is the same only as long as nothing was typed', () => {
  const withoutGroup: Campaign = { ...stored, devices: null, group: null };
  const draft = draftOf(withoutGroup);
  expect(isSame(draft, withoutGroup)).toBe(true);
  expect(isSame({ ...draft, name: 'Winter' }, withoutGroup)).toBe(false);
  expect(isSame({ ...draftOf(stored), name: '' }, stored)).toBe(false);
});

test('the largest goal is never more than what fits', () => {
  expect(goalText('perHour', 23.459)).toBe('23.45');
  expect(goalText('total', 99.9)).toBe('99');
});

test('hours in which a campaign does not run are told from hours without free time', () => {
  const free = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  const flight = { from: '2026-11-23', to: '2026-11-29', hours: [{ from: '09:00', to: '10:00' }] };
  const weekAt = (time: string) => weekOf(flight, free, Date.parse(time), 'Europe/Paris');
  const week = weekAt('2026-11-20T12:00:00Z');
  expect(week[0]?.[9]).toBe(0);
  // Ten o'clock in Paris.
  expect(weekAt('2026-11-23T08:59:00Z')[0]?.[9]).toBe(0);
  expect(weekAt('2026-11-23T09:00:00Z')[0]?.[9]).toBeNull();
  expect(week[0]?.[8]).toBeNull();
  expect([null, 0, 0.1, 0.3, 0.8].map(levelOf)).toEqual(['off', 'none', 'little', 'some', 'much']);
});

test('prices begin in the currency of the language', () => {
  expect([currencyOf('ja'), currencyOf('de')]).toEqual(['JPY', 'EUR']);
});
