import { serveTasks } from './serve-tasks.ts';
import { APP_TASKS } from './tasks.ts';

/** Entry point of a child. Parsers are loaded on demand: most children need only one. */
serveTasks(APP_TASKS, {
  pictureFacts: async (input) => (await import('./parsers/picture.ts')).pictureFacts(input),
  examinePicture: async (input) => (await import('./parsers/picture.ts')).examinePicture(input),
  poster: async (input) => (await import('./parsers/picture.ts')).makePoster(input),
  videoFacts: async (input) => (await import('./parsers/video.ts')).videoFacts(input),
  isPlainVideo: async (input) => (await import('./parsers/cleaning/plain-video.ts')).isPlainVideo(input),
  isWholeJpeg: async (input) => (await import('./parsers/screenshot.ts')).isWholeJpeg(input),
  icon: async (input) => (await import('./parsers/icon.ts')).drawIcon(input),
  apk: async ({ file }) => (await import('./parsers/apk.ts')).readApk(file),
  writeXls: async ({ sheets }) => (await import('./parsers/xls.ts')).writeXls(sheets),
  readSheets: async (input) => (await import('./parsers/sheets.ts')).readSheets(input),
  captcha: async (size) => (await import('./parsers/captcha.ts')).drawCode(size),
});
