import { clickHouseTraceStore } from '../src/stores/clickhouse/trace-store.ts'
import { embeddedTraces } from '../src/stores/traces/embedded.ts'
import { ownClickHouse, type ownOrClickHouse } from './clickhouse.ts'

const HERE = { host: '127.0.0.1', port: 0 }

/** A store of traces that listens on two ports. */
export async function testTraces(kind: (typeof ownOrClickHouse)[number], folder: string) {
  const listen = [HERE, HERE]
  if (kind === 'embedded') {
    const store = embeddedTraces({ folder, days: 30, max_bytes: 1e12, listen })
    return { ...store, ports: await store.open() }
  }
  const { settings, drop } = ownClickHouse(folder)
  const store = clickHouseTraceStore({ ...settings, listen })
  return {
    ...store,
    ports: await store.open(),
    async close() {
      await store.close()
      await drop()
    },
  }
}
