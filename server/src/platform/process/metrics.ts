import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds; from a manifest that did not change to an export of many devices. */
const DURATIONS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** The route of a request that none matches; addresses that somebody made up must not become labels. */
const NO_ROUTE = 'none';

/** Gauges of the library that are named like counters; the sums of others of its gauges. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** A number with its labels, as it is at the moment of asking. */
export interface Reading {
  labels?: Record<string, string>;
  value: number;
}

/**
 * The delay of the event loop is measured so often, and this time is part of what is measured. With the default, every
 * 10 ms, an idle process takes 1 % of a core for it.
 */
const LAG_SAMPLE_MS = 100;

/** The metrics of one server process, in the format of Prometheus. Their names are in docs/metrics.md. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #durations = new Histogram({
    name: 'ams_http_request_duration_seconds',
    help: 'Request duration by route and status, in seconds from the head to the last byte of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: LAG_SAMPLE_MS });
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  read(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Adds a gauge that is computed on every read; NaN if it cannot be computed, for example without the database. */
  gauge(name: string, help: string, ask: () => Reading[] | Promise<Reading[]>, labelNames: string[] = []): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect: async () => {
        // Asked at once, in the order of registration: a gauge sees nothing of the work of those after it.
        const readings = await (async () => ask())().catch(() => []);
        gauge.reset();
        if (readings.length === 0 && labelNames.length === 0) gauge.set(Number.NaN);
        for (const { labels = {}, value } of readings) gauge.set(labels, value);
      },
    });
  }

  /** Notes requests that do not go through an app and take no time, whenever what it answers is called. */
  counter(labels: { method: string; route: string; status: number }): () => void {
    const durations = this.#durations.labels(labels);
    return () => durations.observe(0);
  }

  /** Notes how long every request to `app` takes, by the address as its route has it. */
  timeRequests(app: FastifyInstance): void {
    app.addHook('onResponse', (request, reply, done) => {
      const { url: route = NO_ROUTE } = request.routeOptions;
      this.#durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
      done();
    });
  }
}
