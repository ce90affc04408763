import { expect, test } from 'vitest';
import { fillMessage } from './explain.ts';

test.each([
  ['Used by: {{uses}}.', 'Used by: Autumn, Spring.'],
  ['用于：{{uses}}，请先更改', '用于：Autumn、Spring，请先更改'],
  ['使用中です：{{uses}}', '使用中です：Autumn、Spring'],
  ['사용 중입니다: {{uses}}.', '사용 중입니다: Autumn, Spring.'],
  ['تستخدمها: {{uses}}', 'تستخدمها: \u2068Autumn\u2069، \u2068Spring\u2069'],
])('a list in "%s" has the comma of its language', (message, filled) => {
  expect(fillMessage(message, { uses: ['Autumn', 'Spring'] })).toBe(filled);
});

test('a missing value leaves neither a gap nor a colon at the end', () => {
  expect(fillMessage('Disabled: {{remark}}')).toBe('Disabled');
  expect(fillMessage('At most {{max}} MB', { max: 5 })).toBe('At most 5 MB');
  expect(fillMessage('محظور: \u2068{{remark}}\u2069')).toBe('محظور');
});

test.each([
  ['Used by: {{uses}}. Change these first.', 'Used by. Change these first.'],
  ['Utilisé par : {{uses}}.', 'Utilisé par.'],
  ['用于：{{uses}}，请先更改', '用于，请先更改'],
  ['تستخدمها: {{uses}}. غيّرها', 'تستخدمها. غيّرها'],
])('an empty list in "%s" leaves no colon', (message, filled) => {
  expect(fillMessage(message, { uses: [] })).toBe(filled);
});
