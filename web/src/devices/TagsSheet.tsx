import type { BatchOrder, Device } from '@ams/contract';
import { splitTags } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Target } from '../queries/devices.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { SubmitButton } from '../ui/form/fields.tsx';
import { Form, useForm } from '../ui/form/form.tsx';
import { useFormat } from '../ui/format/format.ts';
import { batchOfOne } from './batch/batchOfOne.ts';
import { ChangePreview } from './batch/ChangePreview.tsx';
import { TagsField, tagsText, TypedTags } from './TagsField.tsx';

/** Sets the tags of one device: adds and removes some, so that those which somebody else sets meanwhile stay. */
export function TagsSheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const [before] = useState(device.tags);
  const form = useForm({
    schema: z.object({ tags: TypedTags }),
    initial: { tags: tagsText(before) },
    // Of a device that has other tags by then, they would take those away.
    keeping: { as: `tags of ${device.id} ${tagsText(before)}` },
    send: async ({ tags }) => {
      const wanted = splitTags(tags);
      const add = wanted.filter((tag) => !before.includes(tag));
      const remove = before.filter((tag) => !wanted.includes(tag));
      const isSame = add.length + remove.length === 0;
      if (isSame || (await batchOfOne(device)({ action: 'tag', add, remove }))) onClose();
      return { code: 200, message: '', data: null };
    },
    onDone: () => undefined,
  });
  return (
    <Dialog kind="sheet" title={t('setTags')} onClose={onClose}>
      <Form form={form} label={t('setTags')}>
        <TagsField form={form} name="tags" label={t('tags')} hint={t('tagsHint')} />
        <SubmitButton form={form}>{common('save')}</SubmitButton>
      </Form>
    </Dialog>
  );
}

type TagOrder = Extract<BatchOrder, { action: 'tag' }>;

interface BatchTagsSheetProps {
  title: string;
  target: Target;
  /** True when it went well: the sheet closes. */
  onSave: (order: TagOrder) => Promise<boolean>;
  onClose: () => void;
}

/** Adds tags to many devices and removes others, after showing what that changes. */
export function BatchTagsSheet({ title, target, onSave, onClose }: BatchTagsSheetProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { commaSeparated } = useFormat();
  const form = useForm({
    schema: z.object({ add: TypedTags, remove: TypedTags }),
    initial: { add: '', remove: '' },
    keeping: { as: `tags ${JSON.stringify(target)}` },
    check: (values) => (orderOf(values) ? {} : { add: t('tagsChoose') }),
    send: async (values) => {
      const order = orderOf(values);
      if (order && (await onSave(order))) onClose();
      return { code: 200, message: '', data: null };
    },
    onDone: () => undefined,
  });
  const order = orderOf(form.values);
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <Form form={form} label={title}>
        <TagsField form={form} name="add" label={t('tagsAdd')} hint={t('tagsHint')} />
        <TagsField form={form} name="remove" label={t('tagsRemove')} hint={t('tagsHint')} />
        {order && (
          <ChangePreview
            target={target}
            order={order}
            textOf={(tags) => (tags ? commaSeparated(splitTags(tags)) : t('tagsNone'))}
          />
        )}
        <SubmitButton form={form}>{common('save')}</SubmitButton>
      </Form>
    </Dialog>
  );
}

/** The order of both fields; undefined while they are empty or wrong. */
function orderOf(typed: { add: string; remove: string }): TagOrder | undefined {
  const [add, remove] = [TypedTags.safeParse(typed.add), TypedTags.safeParse(typed.remove)];
  if (!add.success || !remove.success || add.data.length + remove.data.length === 0) return undefined;
  return { action: 'tag', add: add.data, remove: remove.data };
}
