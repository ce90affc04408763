import { expect, test } from 'vitest';
import { HomeIcon } from '../ui/layout/icons.ts';
import { pagesFound } from './pages.ts';

const named = (...titles: string[]) => titles.map((title) => ({ id: title, to: '/', title, note: '', icon: HomeIcon }));

test.each([
  ['activity', 'Activity log'],
  ['LOG activity', 'Activity log'],
  ['etkinlik', 'ETKİNLİK günlüğü'],
  ['iki', 'İki adımlı giriş'],
  ['parametres', 'Paramètres'],
  ['Paramètres', 'Parame\u0300tres'],
  ['thiet bi', 'Quản lý thiết bị'],
  ['Quan ly', 'Quản lý thiết bị'],
  ['dang xuat', 'Đăng xuất'],
  ['设置', '设置'],
])('%j finds the page %j', (text, title) => {
  expect(pagesFound(named('Home', title), text).map((page) => page.title)).toEqual([title]);
});
