import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { canMount, smallDisk } from '../../test/full-disk.ts'
import { KEEP_ALL } from '../../test/traces.ts'
import { readConfig } from '../config/config.ts'
import { outbound } from '../outbound/outbound.ts'
import { openStores } from './open.ts'
import { takeFolder } from './taken-folder.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'switchroom-taken-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const start = (environment: Record<string, string>) =>
  openStores(
    readConfig({ SWITCHROOM_DATA: data, ...environment }),
    outbound([]),
    KEEP_ALL,
    async () => [],
  )

it.each([
  ['telemetry', { SWITCHROOM_INGEST_INFLUX: '127.0.0.1:0' }],
  ['traces', { SWITCHROOM_INGEST_OTLP: '127.0.0.1:0' }],
  ['captures', { SWITCHROOM_INGEST_HEP: '127.0.0.1:0' }],
])('is taken by one server only: %s', async (folder, environment) => {
  const first = await start(environment)
  await expect(start(environment)).rejects.toThrow(
    `SWITCHROOM_DATA: another server takes call data into ${join(data, folder)} (process ${process.pid} on `,
  )
  // one that only reads there
  await (await start({})).close()
  await first.close()
  await (await start(environment)).close()
})

it.runIf(canMount)('is taken on a full disk too', () => {
  const disk = smallDisk(2_000_000)!
  takeFolder(disk.folder)()
  disk.fill()
  const release = takeFolder(disk.folder)
  expect(() => takeFolder(disk.folder)).toThrow('another server takes call data into')
  release()
  takeFolder(disk.folder)()
  disk.close()
})
