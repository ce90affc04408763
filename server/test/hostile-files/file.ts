/** Entry points for an attacker's bytes: uploads of videos, pictures and apps, screenshots, imports. */
export type Target = 'video' | 'picture' | 'app' | 'screenshot' | 'sheet';

/** A file made to harm. Every run makes the same bytes. */
export interface HostileFile {
  /** Its name in the corpus, unique: `mp4 stts of 0x20000000 samples with ctts`. */
  name: string;
  /** Which parser or limit it goes for. */
  attacks: string;
  target: Target;
  /** With the dot. */
  extension: string;
  make: () => Buffer | Promise<Buffer>;
}

/** Files of one format, one line each: name, what it attacks, its bytes. */
export const filesOf =
  (format: string, target: Target, extension: string) =>
  (name: string, attacks: string, make: HostileFile['make']): HostileFile => ({
    name: `${format} ${name}`,
    attacks,
    target,
    extension,
    make,
  });
