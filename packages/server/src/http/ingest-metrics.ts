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
  gauge('switchroom_ingest_connections', 'Open connections of platform components', 'connections')
  gauge('switchroom_telemetry_bytes', 'Size of the call records and alerts kept here', 'bytes')
}
