import { LANGUAGES } from '@ams/contract';
import { messages } from '@ams/contract/messages/en';
import { expect, it } from 'vitest';
import { en } from './en.ts';
import { LANGUAGE_PACKS } from './packs.ts';

const { common, session, devices, home } = en;
const { errors, rules } = messages;

/** Every title and message that SPEC.md quotes, in the order of its points. */
it.each<[point: string, literal: string, text: string]>([
  ['1', 'Advertising Management System', common.appTitle],
  ['2, navigation', 'Home', common.menuHome],
  ['2, navigation', 'User management', common.menuUsers],
  ['2, navigation', 'Device management', common.menuDevices],
  ['2, navigation', 'Ad management', common.menuAds],
  ['2, navigation', 'File management', common.menuFiles],
  ['2, other screens', 'Register User', session.registerTitle],
  ['5', 'Input username', rules['username.required']],
  ['5', 'Password Different', errors.PASSWORD_DIFFERENT],
  ['5', 'Invalid invitation code', errors.INVALID_INVITATION],
  ['5', 'Please upload files in {t} format', errors.UNSUPPORTED_FORMAT.replace('{{t}}', '{t}')],
  ['5', 'Already Largest', common.alreadyLargest],
  ['8', 'Upload Failed', common.uploadFailed],
  ['8', 'File names cannot have special symbols', rules['file.nameSymbols']],
  ['8', 'Recognition error', devices.recognitionError],
])('point %s says “%s”', (_, literal, text) => {
  expect(text).toBe(literal);
});

/** Texts that SPEC.md describes without quoting them. */
it.each<[point: string, words: RegExp, text: string]>([
  ['1', /contact your dealer .* to keep using them/i, home.expiringHint],
  ['1', /about to expire/, home.expiringTitle_other],
  ['4', /^release to refresh/i, common.releaseToRefresh],
  ['4', /^loading/i, common.loading],
  ['4', /^no more/i, common.noMore],
  ['4', /^confirm$/i, common.confirm],
  ['4', /^cancel$/i, common.cancel],
  ['5', /password/i, rules['password.required']],
  ['5', /confirm|again|repeat/i, rules['confirm.required']],
  ['5', /verification code/i, rules['captcha.required']],
  ['5, default prompts', /name/i, rules['name.required']],
  ['5, default prompts', /phone/i, rules['phone.invalid']],
  ['5, default prompts', /address/i, rules['address.required']],
  ['5, default prompts', /area/i, rules['area.required']],
])('point %s asks for words like %s', (_, words, text) => {
  expect(text).toMatch(words);
});

it('the interface has the 12 languages of point 1', () => {
  const spec = ['zh', 'en', 'de', 'es', 'fr', 'ar', 'ja', 'ko', 'pt', 'ru', 'tr', 'vi'];
  expect(LANGUAGES).toEqual(spec);
  expect(Object.keys(LANGUAGE_PACKS)).toEqual(spec);
});
