const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed();

/**
 * The dotted path of the first text in a value that PostgreSQL cannot store: it takes neither NUL nor halves of
 * surrogate pairs. Undefined when there is none. A value nested however deeply does no harm.
 */
export function findUnstorable(value: unknown): string | undefined {
  const open: [path: string, value: unknown][] = [['', value]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, inner] = next;
    if (typeof inner === 'string' && isUnstorable(inner)) return path;
    if (typeof inner !== 'object' || inner === null || ArrayBuffer.isView(inner)) continue;
    for (const [key, part] of Object.entries(inner)) open.push([path === '' ? key : `${path}.${key}`, part]);
  }
  return undefined;
}
