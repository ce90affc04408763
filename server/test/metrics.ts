/** The values in `/metrics` of the server at `url` of the series whose name and labels match `series`. */
export async function readMetric(url: string, series: RegExp): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = new RegExp(`^${series.source} (\\S+)$`, 'm').exec(text);
  return Number(line?.at(-1));
}
