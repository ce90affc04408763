/** Characters that file systems do not take in a name, that would lead to a folder, or that hide what a name is. */
const UNSAFE_IN_NAMES = /[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu;

/** A text as a part of a file's name. */
export const inFileName = (text: string): string => text.replace(UNSAFE_IN_NAMES, '-');
