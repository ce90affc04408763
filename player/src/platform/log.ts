export type LogLevel = 'info' | 'warn' | 'error';
export type Log = (level: LogLevel, text: string) => void;

export interface LogLine {
  at: string;
  level: LogLevel;
  text: string;
}

const LINES = 500;

/* oxlint-disable no-console -- this is where the player's log meets the console */

/** The last 500 lines, in memory; warnings and errors go to the console too. */
export function makeLog(now: () => number) {
  const lines: LogLine[] = [];
  return {
    lines: (): readonly LogLine[] => lines,
    log(level: LogLevel, text: string): void {
      lines.push({ at: new Date(now()).toISOString(), level, text });
      if (lines.length > LINES) lines.shift();
      if (level === 'info') console.info(text);
      else console.warn(text);
    },
  };
}
