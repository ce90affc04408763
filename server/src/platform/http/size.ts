const KIB = 2 ** 10;
const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** A size as people read it: `500 KB`, `20 MB`, `2 GB`. */
export function sizeInWords(bytes: number): string {
  if (bytes > 0 && bytes % GIB === 0) return `${bytes / GIB} GB`;
  return bytes < MIB ? `${Math.floor(bytes / KIB)} KB` : `${Math.floor(bytes / MIB)} MB`;
}
