import { readFileSync } from 'node:fs';

export interface Usage {
  residentMb: number;
  cpuMs: number;
}

/** Linux counts processor time in hundredths of a second (`USER_HZ`) wherever it is shown to programs. */
const TICK_MS = 10;
/** Fields of `/proc/PID/stat` after the name, counted from 0 (proc_pid_stat(5)). */
const UTIME = 11;
const STIME = 12;

/** Resource usage of a process, or undefined without /proc or after its end. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const residentKb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[UTIME]) + Number(fields[STIME]);
    return residentKb === undefined ? undefined : { residentMb: Number(residentKb) / 1024, cpuMs: ticks * TICK_MS };
  } catch {
    return undefined;
  }
}
