/**
 * Lines of a graphile-worker crontab, so that each task runs once at a time and waits at most once: one that lasts longer
 * than its period, or fails each time, would otherwise take all hands of its lane and add a job each minute. `tries`: of a
 * line that names no number itself.
 */
export const oneAtATime = (crontab: string, tries: number): string =>
  crontab
    .split('\n')
    .map((line) => {
      const task = /^(?:\S+\s+){5}(\S+)/.exec(line)?.[1];
      if (task === undefined) return line;
      const begun = line.includes(' ?') ? `${line}&` : `${line} ?`;
      const limited = begun.includes('max=') ? begun : `${begun}max=${tries}&`;
      return `${limited}queue=${task}&jobKey=${task}`;
    })
    .join('\n');
