import type { FieldError } from '../kernel/errors.ts';
import { commaOf } from '../languages.ts';
import type { Rule, ShownMessages } from './en.ts';

const ARABIC = /\p{Script=Arabic}/u;
const CHINESE_OR_JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The items of a list with the comma of the text around them; between Arabic words, none moves its neighbours. */
const listed = (items: readonly unknown[], around: string): string =>
  ARABIC.test(around)
    ? items.map((item) => `\u2068${String(item)}\u2069`).join(commaOf('ar'))
    : items.join(CHINESE_OR_JAPANESE.test(around) ? commaOf('zh') : commaOf('en'));

/**
 * Fills `{{name}}` in a message, lists with commas; a missing value leaves nothing behind. At the end it leaves no colon
 * either, and an empty list leaves none anywhere.
 */
export const fillMessage = (message: string, values: Record<string, unknown> = {}): string =>
  message
    .replace(/\s*[:：]\s*\{\{(\w+)\}\}/g, (text, name: string) => {
      const value = values[name];
      return Array.isArray(value) && value.length === 0 ? '' : text;
    })
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      if (Array.isArray(value)) return listed(value, message);
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    })
    .replaceAll('\u2068\u2069', '')
    .replace(/[\s:：]+$/, '');

const isRule = (messages: Pick<ShownMessages, 'rules'>, text: string): text is Rule =>
  Object.hasOwn(messages.rules, text);

/** The part of a zod issue that explaining needs. */
export interface SchemaIssue {
  path: readonly PropertyKey[];
  message: string;
  code?: string | undefined;
}

/** Schema issues as messages for people. A rule that the schemas did not name is called by its zod code. */
export const explainIssues = (issues: readonly SchemaIssue[], messages: Pick<ShownMessages, 'rules'>): FieldError[] =>
  issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    rule: isRule(messages, issue.message) ? issue.message : (issue.code ?? 'invalid'),
    message: messages.rules[isRule(messages, issue.message) ? issue.message : 'invalid'],
  }));
