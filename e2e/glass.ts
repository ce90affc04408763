import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CDPSession, Page } from '@playwright/test';

/** A frame of the screen from an instant on: the mean colour of the picture, each 0 to 255. */
export interface Sample {
  /** Milliseconds since 1970. */
  at: number;
  red: number;
  green: number;
  blue: number;
}

export const isBlack = ({ red, green, blue }: Sample): boolean => red + green + blue < 60;

/** Mean colours of JPEG pictures, decoded in one go. */
function colours(pictures: Buffer[]): number[][] {
  if (pictures.length === 0) return [];
  const folder = mkdtempSync(path.join(tmpdir(), 'ams-glass-'));
  const film = path.join(folder, 'film.mjpeg');
  writeFileSync(film, Buffer.concat(pictures));
  const raw = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-f', 'mjpeg', '-i', film, '-vf', 'scale=1:1:flags=area', '-fps_mode', 'passthrough'].concat([
      ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
    ]),
    { maxBuffer: 2 ** 26 },
  );
  rmSync(folder, { recursive: true });
  // A picture that is missing would shift the others, and count as black.
  if (raw.length !== 3 * pictures.length)
    throw new Error(`${pictures.length} pictures, ${raw.length / 3} of them read`);
  return pictures.map((_, index) => [...raw.subarray(index * 3, index * 3 + 3)]);
}

/** Records the visible screen: the compositor's own frames, also over reloads of the page. */
export class Film {
  readonly #pictures: { at: number; picture: Buffer }[] = [];
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async of(page: Page): Promise<Film> {
    const session = await page.context().newCDPSession(page);
    const film = new Film(session);
    session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      const at = (metadata.timestamp ?? Date.now() / 1000) * 1000;
      film.#pictures.push({ at, picture: Buffer.from(data, 'base64') });
      session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
    });
    await session.send('Page.startScreencast', { format: 'jpeg', quality: 60, maxWidth: 320, maxHeight: 180 });
    return film;
  }

  /** Ends the film and answers its frames, oldest first. */
  async stop(): Promise<Sample[]> {
    await this.#session.send('Page.stopScreencast');
    await this.#session.detach();
    return this.samples();
  }

  /** The frames so far, oldest first: all that are left of a browser that was killed. */
  samples(): Sample[] {
    const means = colours(this.#pictures.map(({ picture }) => picture));
    return this.#pictures.map(({ at }, index) => {
      const [red = 0, green = 0, blue = 0] = means[index] ?? [];
      return { at, red, green, blue };
    });
  }
}
