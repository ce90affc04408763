import type { z } from 'zod';
import type { FieldError } from '../kernel/errors.ts';
import { issuePath } from '../kernel/errors.ts';
import type { Messages, Rule } from './en.ts';

/** Fills `{name}` in a message; a value that is missing leaves nothing behind. */
export const fillMessage = (message: string, values: Record<string, unknown> = {}): string =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });

const isRule = (messages: Messages, text: string): text is Rule => Object.hasOwn(messages.rules, text);

/** Schema issues in a person's words. A rule that the schemas did not name is called by its zod code. */
export const explainIssues = (issues: readonly z.core.$ZodIssue[], messages: Messages): FieldError[] =>
  issues.map((issue) => ({
    path: issuePath(issue),
    rule: isRule(messages, issue.message) ? issue.message : issue.code,
    message: messages.rules[isRule(messages, issue.message) ? issue.message : 'invalid'],
  }));
