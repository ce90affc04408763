import { normalizeTag, splitTags, Tags, TAG_LENGTH_MAX, TAGS_MAX } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { tagsQuery } from '../queries/devices.ts';
import { TextField } from '../ui/form/form.tsx';

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

/** A field for tags, with those in use as suggestions for the last one. */
export function TagsField<N extends string>({ form, name, label, hint }: TagsFieldProps<N>) {
  const text = form.values[name];
  const start = text.slice(0, text.lastIndexOf(',') + 1);
  const given = new Set(splitTags(start));
  const found = useQuery(tagsQuery(normalizeTag(text.slice(start.length)))).data ?? [];
  const suggestions = found.filter((tag) => !given.has(tag)).map((tag) => (start ? `${start} ${tag}` : tag));
  const error = Object.entries(form.errors).find(([path]) => path.split('.')[0] === name)?.[1];
  return (
    <TextField<Record<N, string>>
      form={{ ...form, errors: { ...form.errors, [name]: error } }}
      name={name}
      label={label}
      hint={hint}
      autoComplete="off"
      maxLength={TEXT_MAX}
      suggestions={suggestions}
    />
  );
}

/** What a form sends of an optional field: a known device keeps its tags when it is empty. */
export const givenTags = (text: string): string[] | undefined => {
  const tags = splitTags(text);
  return tags.length > 0 ? tags : undefined;
};
