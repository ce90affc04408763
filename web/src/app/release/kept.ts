import type { FormState } from './save.ts';

/**
 * Forms that were left before they were saved: to upload a file, say. They live as long as the page
 * of the browser does, by the address of the form.
 */
const kept = new Map<string, FormState>();

export const keptForm = (address: string): FormState | undefined => kept.get(address);

export const keepForm = (address: string, state: FormState): void => void kept.set(address, state);

export const forgetForm = (address: string): void => void kept.delete(address);
