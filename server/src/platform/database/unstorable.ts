const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed();

/** No call needs deeper values; functions that call themselves for each level would end with a full stack. */
const DEPTH_MAX = 32;

/**
 * The dotted path of the first part of a value that cannot be stored: a text with NUL or half a surrogate pair, which
 * PostgreSQL refuses, or a part that is nested too deeply. Undefined when there is none.
 */
export function findUnstorable(value: unknown): string | undefined {
  const open: [path: string[], value: unknown][] = [[[], value]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, inner] = next;
    if (typeof inner === 'string' && isUnstorable(inner)) return path.join('.');
    if (typeof inner !== 'object' || inner === null || ArrayBuffer.isView(inner)) continue;
    if (path.length === DEPTH_MAX) return path[0];
    for (const [key, part] of Object.entries(inner)) open.push([[...path, key], part]);
  }
  return undefined;
}

/** A text as the database takes it: without NUL and without halves of characters. */
export const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '');
