import { clickHouseTraceStore } from '../src/stores/traces/clickhouse/store.ts'
import { embeddedTraces } from '../src/stores/traces/files/store.ts'
import type { WordsPolicy } from '../src/stores/traces/store.ts'
import { ownClickHouse, type ownOrClickHouse } from './clickhouse.ts'

const HERE = { host: '127.0.0.1', port: 0 }

/** Without an account that wants less than all. */
export const KEEP_ALL: WordsPolicy = { accounts: new Map(), unknown: undefined, key: 'key' }

/** A store of traces that listens on two ports. */
export async function testTraces(
  kind: (typeof ownOrClickHouse)[number],
  folder: string,
  words = KEEP_ALL,
) {
  const listen = [HERE, HERE]
  if (kind === 'embedded') {
    const store = embeddedTraces({ folder, days: 30, max_bytes: 1e12, listen, words })
    return { ...store, ports: await store.open() }
  }
  const { settings, drop } = ownClickHouse(folder)
  const store = clickHouseTraceStore({ ...settings, listen, words })
  return {
    ...store,
    ports: await store.open(),
    async close() {
      await store.close()
      await drop()
    },
  }
}
