import { normalizeTag, splitTags, startOfLastTag, Tags, TAG_LENGTH_MAX, TAGS_MAX } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { tagsQuery } from '../queries/devices.ts';
import { FieldFrame, TextControl } from '../ui/form/Field.tsx';
import { isolated } from '../ui/format/bidi.ts';
import { RemovableChip } from '../ui/list/RemovableChip.tsx';
import style from './TagsField.module.css';

/** Tags as typed into one field: separated by commas. */
export const TypedTags = z.string().transform(splitTags).pipe(Tags);

/** Longest text of a field with all the tags a device may have. */
const TEXT_MAX = TAGS_MAX * (TAG_LENGTH_MAX + 2);

interface TagsFieldProps<N extends string> {
  form: {
    values: Record<N, string>;
    errors: Partial<Record<string, string>>;
    set: (name: N, value: string) => void;
  };
  name: N;
  label: string;
  hint: string;
}

/** Tags as the text of the field, each ended: what is typed next is another one. */
export const tagsText = (tags: readonly string[]): string => tags.map((tag) => `${tag}, `).join('');

/**
 * A field for tags, with those in use as suggestions for the one that is typed. A separator or the enter key makes it a chip; a tap on a
 * chip, or the backspace key in the empty field, takes the tag out.
 */
export function TagsField<N extends string>({ form, name, label, hint }: TagsFieldProps<N>) {
  const { t } = useTranslation('groups');
  const id = useId();
  const text = form.values[name];
  const start = startOfLastTag(text);
  const [given, typed] = [splitTags(text.slice(0, start)), text.slice(start).trimStart()];
  const set = (tags: readonly string[], last: string) => form.set(name, tagsText(tags) + last);
  const found = useQuery(tagsQuery(normalizeTag(typed))).data ?? [];
  const error = Object.entries(form.errors).find(([path]) => path.split('.')[0] === name)?.[1];
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      {given.length > 0 && (
        <ul className={style.tags}>
          {given.map((tag) => (
            <li key={tag}>
              <RemovableChip
                label={t('removeTag', { tag: isolated(tag) })}
                onRemove={() =>
                  set(
                    given.filter((each) => each !== tag),
                    typed,
                  )
                }
              >
                <bdi>{tag}</bdi>
              </RemovableChip>
            </li>
          ))}
        </ul>
      )}
      <TextControl
        id={id}
        name={name}
        value={typed}
        error={error}
        autoComplete="off"
        maxLength={TEXT_MAX}
        suggestions={found.filter((tag) => !given.includes(tag))}
        onChange={(last) => set(given, last)}
        onErase={() => set(given.slice(0, -1), '')}
        onEnter={() => set([...new Set([...given, ...splitTags(typed)])], '')}
      />
    </FieldFrame>
  );
}

/** What a form sends of an optional field: a known device keeps its tags when it is empty. */
export const givenTags = (text: string): string[] | undefined => {
  const tags = splitTags(text);
  return tags.length > 0 ? tags : undefined;
};
