import { apkFiles } from './apk-files.ts';
import { disguiseFiles } from './disguise-files.ts';
import type { HostileFile } from './file.ts';
import { gifAndWebpFiles } from './gif-webp-files.ts';
import { jpegFiles } from './jpeg-files.ts';
import { matroskaFiles } from './matroska-files.ts';
import { mp4Files } from './mp4-files.ts';
import { pngFiles } from './png-files.ts';
import { sheetFiles } from './sheet-files.ts';

export type { HostileFile } from './file.ts';

/** Every hostile file there is. They are made when they are asked for: some are large. */
export const hostileFiles = (): HostileFile[] => [
  ...mp4Files(),
  ...matroskaFiles(),
  ...jpegFiles('picture'),
  ...jpegFiles('screenshot'),
  ...pngFiles(),
  ...gifAndWebpFiles(),
  ...disguiseFiles(),
  ...apkFiles(),
  ...sheetFiles(),
];
