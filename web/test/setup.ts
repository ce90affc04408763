import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { PATIENCE_MS } from '../../vitest.config.ts';
import { startAllTexts } from '../src/platform/i18n.ts';
import { useToast } from '../src/platform/toast.ts';
import { useConfirm } from '../src/ui/feedback/confirm.ts';

configure({ asyncUtilTimeout: PATIENCE_MS });

/** What the browser of these tests does not have: a top layer. */
HTMLElement.prototype.showPopover = () => undefined;
HTMLElement.prototype.hidePopover = () => undefined;

/** What browsers lack over plain HTTP: nothing may need it. */
Object.defineProperty(crypto, 'randomUUID', { value: undefined });

beforeAll(startAllTexts);

// React complains by console.error: of missing keys, of updates outside act, of attributes it does not know.
const complaints: unknown[][] = [];
beforeEach(() => {
  complaints.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void complaints.push(args));
});
afterEach(() => {
  cleanup();
  // A worker keeps its modules from file to file: a question or message that is left would show in the next test.
  useConfirm.setState(useConfirm.getInitialState());
  useToast.setState(useToast.getInitialState());
  if (complaints.length > 0) throw new Error(`Unexpected console.error: ${complaints.flat().map(String).join(' ')}`);
});
