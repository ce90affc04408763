import { type BatchResult, type MediaFile, FileName } from '@ams/contract';
import { fillMessage } from '@ams/contract/messages/explain';
import i18next from 'i18next';
import { contractMessages } from '../platform/i18n.ts';
import { toast } from '../platform/toast.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { deleteFiles, renameFile } from '../queries/files.ts';
import { succeeded } from '../ui/feedback/outcome.ts';

export function askToRename(file: MediaFile): Promise<boolean> {
  const t = i18next.getFixedT(null, 'files');
  return confirm({
    title: t('renameTitle'),
    action: i18next.t('save'),
    input: { about: file.id, label: t('name'), schema: FileName, initial: file.name },
    run: async (name) => succeeded(await renameFile(file.id, name), t('renamed')),
  });
}

/** A file that could not be deleted, and why in a person's words. */
export interface Kept {
  id: string;
  name: string;
  reason: string;
}

const isError = (name: string): name is keyof ReturnType<typeof contractMessages>['errors'] =>
  Object.hasOwn(contractMessages().errors, name);

const keptOf = (files: readonly MediaFile[], { failed }: BatchResult): Kept[] =>
  failed
    .filter(({ error }) => error !== 'NOT_FOUND')
    .map(({ id, error, details }) => ({
      id,
      name: files.find((file) => file.id === id)?.name ?? '',
      reason: fillMessage(contractMessages().errors[isError(error) ? error : 'INVALID'], details),
    }));

/** Asks, then deletes. Resolves with those that could not be deleted; undefined when cancelled. */
export async function askToDelete(files: readonly MediaFile[]): Promise<Kept[] | undefined> {
  const t = i18next.getFixedT(null, 'files');
  const [first] = files;
  let kept: Kept[] = [];
  const confirmed = await confirm({
    title:
      files.length === 1 && first
        ? t('deleteOneTitle', { name: first.name })
        : t('deleteTitle', { count: files.length }),
    body: t('deleteBody', { count: files.length }),
    action: i18next.t('delete'),
    danger: true,
    run: async () => {
      const answer = await deleteFiles(files.map(({ id }) => id));
      if (answer.error !== undefined) return false;
      if (answer.data.done > 0) toast.success(t('deletedCount', { count: answer.data.done }));
      kept = keptOf(files, answer.data);
      return true;
    },
  });
  return confirmed ? kept : undefined;
}

const isReason = (code: string): code is keyof ReturnType<typeof contractMessages>['files'] =>
  Object.hasOwn(contractMessages().files, code);

/** Why a file failed, or what to know of it, in the language shown. */
export const reasonText = (code: string): string => (isReason(code) ? contractMessages().files[code] : code);
