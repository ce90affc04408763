import { FILE_NAME_MAX, FileName, type Media, type Settings, extensionOf, hasVisible } from '@ams/contract';
import type { Rule } from '@ams/contract/messages/en';

/** Why a file is not sent, as data: the words follow the language shown. */
export type Refusal =
  | { kind: 'format'; formats: readonly string[] }
  | { kind: 'size'; limit: number }
  | { kind: 'empty' }
  | { kind: 'unreadable' }
  | { kind: 'count'; max: number }
  /** Another tab sends it. */
  | { kind: 'elsewhere' }
  | { kind: 'name'; rule: Rule };

export type UploadLimits = Pick<
  Settings['upload'],
  'maxFiles' | 'maxImageBytes' | 'maxVideoBytes' | 'imageFormats' | 'videoFormats'
>;

export interface MediaLimits {
  formats: readonly string[];
  /** Bytes. */
  size: number;
}

export const limitsOf = (limits: UploadLimits, media: Media): MediaLimits =>
  (
    {
      image: { formats: limits.imageFormats, size: limits.maxImageBytes },
      video: { formats: limits.videoFormats, size: limits.maxVideoBytes },
    } satisfies Record<Media, MediaLimits>
  )[media];

/** The media of a file by its name; a name of neither is refused as a video is. */
export const mediaOfName = (name: string, { imageFormats }: Pick<UploadLimits, 'imageFormats'>): Media =>
  imageFormats.includes(extensionOf(name)) ? 'image' : 'video';

const RULES: readonly Rule[] = ['file.nameRequired', 'file.nameLength', 'file.nameSymbols', 'name.invisible'];

/** The contract's rule that a name breaks. */
export function nameProblem(name: string): Rule | undefined {
  const issue = FileName.safeParse(name).error?.issues[0];
  return issue && (RULES.find((rule) => rule === issue.message) ?? 'invalid');
}

/**
 * What can be known of a file before a byte of it is sent. `room` is how many more files may be on
 * their way at the moment. What cannot be mended comes first, the name, which can be, last.
 */
export function checkFile(
  file: { name: string; size: number },
  media: Media,
  limits: UploadLimits,
  room: number,
): Refusal | undefined {
  const { formats, size } = limitsOf(limits, media);
  if (!formats.includes(extensionOf(file.name))) return { kind: 'format', formats };
  if (file.size === 0) return { kind: 'empty' };
  if (file.size > size) return { kind: 'size', limit: size };
  const rule = nameProblem(file.name);
  if (rule) return { kind: 'name', rule };
  return room <= 0 ? { kind: 'count', max: limits.maxFiles } : undefined;
}

const isAllowed = (character: string): boolean => FileName.safeParse(`a${character}a`).success;

/** A name near `name` that the rules accept, with its extension. */
export function suggestName(name: string): string {
  const extension = extensionOf(name);
  const ending = extension === '' ? '' : `.${extension}`;
  const stem = Array.from(name.slice(0, name.length - ending.length))
    .map((character) => (isAllowed(character) ? character : '_'))
    .join('')
    .replace(/_{2,}/g, '_')
    .slice(0, FILE_NAME_MAX - ending.length)
    // Cut inside a pair, half a character would be left.
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
  return `${hasVisible(stem) ? stem : '1'}${ending}`;
}
