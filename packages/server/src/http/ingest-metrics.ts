import { Counter, Gauge, type Registry } from 'prom-client'
import type { Stores } from '../stores/open.ts'

/** Metrics of data received from the platform's components since the start, by outcome. */
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
  storageMetrics(registry, {
    name: 'traces',
    bytes: 'Size of the traces kept here',
    read: stores.ingestedTraces,
    counters: {
      spans: ['format', 'Spans stored, by the format they came in', (now) => now.spans],
      dropped: ['reason', 'Spans and whole requests not stored, by reason', (now) => now.dropped],
    },
  })
  storageMetrics(registry, {
    name: 'captures',
    bytes: 'Size of the SIP captures kept here',
    read: stores.ingestedCaptures,
    counters: {
      messages: ['kind', 'Messages stored, by their kind', (now) => now.messages],
      dropped: ['reason', 'Messages not stored, by reason', (now) => now.dropped],
    },
  })
  recordingMetrics(registry, stores)
  gauge('switchroom_ingest_connections', 'Open connections of platform components', 'connections')
  gauge('switchroom_telemetry_bytes', 'Size of the call records and alerts kept here', 'bytes')
}

type Counting<M> = [label: string, help: string, of: (metrics: M) => Record<string, number>]

/** Counters of the data that a built-in store received, and the size of the store. */
function storageMetrics<M extends { bytes: number }>(
  registry: Registry,
  store: {
    name: string
    bytes: string
    read: () => Promise<M | undefined>
    counters: Record<Exclude<keyof M & string, 'bytes' | 'platform'>, Counting<M>>
  },
) {
  for (const [of, [label, help, counted]] of Object.entries<Counting<M>>(store.counters))
    new Counter({
      name: `switchroom_${store.name}_${of}_total`,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const now = await store.read()
        this.reset()
        for (const [value, n] of Object.entries(now ? counted(now) : {}))
          this.inc({ [label]: value }, n)
      },
    })
  new Gauge({
    name: `switchroom_${store.name}_bytes`,
    help: store.bytes,
    registers: [registry],
    async collect() {
      this.set((await store.read())?.bytes ?? 0)
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
