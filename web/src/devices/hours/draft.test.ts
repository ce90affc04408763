import { messages } from '@ams/contract/messages/en';
import { expect, test } from 'vitest';
import { copiedToAll, draftOf, hoursOf, newSpan, problemsOf } from './draft.ts';

const office = {
  weekly: { 1: [{ from: '08:00', to: '24:00' }], 6: [{ from: '20:00', to: '02:00' }] },
  exceptions: [{ date: '2028-02-29', hours: [] }],
};

test('hours that are edited without a change stay the same, the end of a day too', () => {
  const draft = draftOf(office);
  expect(draft.weekly['1']).toMatchObject([{ from: '08:00', to: '00:00' }]);
  expect(hoursOf(draft)).toEqual(office);
  expect(problemsOf(draft, messages)).toEqual({});
});

test('a day is copied to all others', () => {
  const { weekly } = hoursOf(copiedToAll(draftOf(office), '6'));
  expect(Object.values(weekly)).toEqual(Array.from({ length: 7 }, () => [{ from: '20:00', to: '02:00' }]));
});

test('a problem belongs to its day or exception', () => {
  const draft = draftOf(null);
  draft.weekly['2'] = [newSpan('08:00', '12:00'), newSpan('11:00', '13:00')];
  draft.exceptions = [{ id: 'x', date: '', hours: [] }];
  expect(Object.keys(problemsOf(draft, messages))).toEqual(expect.arrayContaining(['weekly.2', 'exceptions.0']));
});
