import { Counter, Gauge, type Registry } from 'prom-client'
import type { Stores } from '../stores/open.ts'

/** What platform components have sent here since the start, and what became of it. */
export function ingestMetrics(registry: Registry, stores: Stores) {
  const counter = (
    name: string,
    help: string,
    label: string,
    of: 'points' | 'dropped' | 'requests',
  ) =>
    new Counter({
      name: `switchroom_ingest_${name}_total`,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const now = await stores.ingested()
        this.reset()
        for (const [value, n] of Object.entries(now?.[of] ?? {})) this.inc({ [label]: value }, n)
      },
    })
  const gauge = (name: string, help: string, of: 'connections' | 'bytes') =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set((await stores.ingested())?.[of] ?? 0)
      },
    })
  counter('points', 'Points stored, by database', 'database', 'points')
  counter('dropped', 'Lines not stored, and fields without value, by reason', 'reason', 'dropped')
  counter('requests', 'Requests of platform components, by status', 'status', 'requests')
  traceMetrics(registry, stores)
  recordingMetrics(registry, stores)
  gauge('switchroom_ingest_connections', 'Open connections of platform components', 'connections')
  gauge('switchroom_telemetry_bytes', 'Size of the call records and alerts kept here', 'bytes')
}

function traceMetrics(registry: Registry, { ingestedTraces }: Stores) {
  const counter = (name: string, help: string, label: string, of: 'spans' | 'dropped') =>
    new Counter({
      name: `switchroom_traces_${name}_total`,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const now = await ingestedTraces()
        this.reset()
        for (const [value, n] of Object.entries(now?.[of] ?? {})) this.inc({ [label]: value }, n)
      },
    })
  counter('spans', 'Spans stored, by the format they came in', 'format', 'spans')
  counter('dropped', 'Spans and whole requests not stored, by reason', 'reason', 'dropped')
  new Gauge({
    name: 'switchroom_traces_bytes',
    help: 'Size of the traces kept here',
    registers: [registry],
    async collect() {
      this.set((await ingestedTraces())?.bytes ?? 0)
    },
  })
}

function recordingMetrics(registry: Registry, { incoming }: Stores) {
  new Counter({
    name: 'switchroom_recordings_total',
    help: 'Recordings that media servers have sent, by what became of them; those that failed are tried again',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, n] of Object.entries(incoming.counts)) this.inc({ outcome }, n)
    },
  })
  new Gauge({
    name: 'switchroom_recordings_incoming_bytes',
    help: 'Sound that is coming in, or waits for its store',
    registers: [registry],
    collect() {
      this.set(incoming.bytes)
    },
  })
}
