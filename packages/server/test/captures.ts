import { clickHouseCaptureStore } from '../src/stores/sip/clickhouse/store.ts'
import { embeddedCaptures } from '../src/stores/sip/files/store.ts'
import { ownClickHouse, type ownOrClickHouse } from './clickhouse.ts'

export type CaptureOptions = { key?: string; days?: number; max_bytes?: number; port?: number }

/** A store of SIP captures that listens. */
export async function testCaptures(
  kind: (typeof ownOrClickHouse)[number],
  folder: string,
  { key, days = 30, max_bytes = 1e9, port = 0 }: CaptureOptions = {},
) {
  const listen = { host: '127.0.0.1', port }
  if (kind === 'embedded') {
    const store = embeddedCaptures({ folder, days, max_bytes, listen, key })
    return { ...store, port: (await store.open())! }
  }
  const { settings, drop } = ownClickHouse(folder, days)
  const store = clickHouseCaptureStore({ ...settings, listen, key })
  const close = async () => {
    await store.close()
    await drop()
  }
  try {
    return { ...store, port: (await store.open())!, close }
  } catch (e) {
    await close()
    throw e
  }
}
