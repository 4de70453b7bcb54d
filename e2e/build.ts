import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../scripts/build.ts'
import { startSwitchroom } from './harness.ts'
import { addNeighbourToFile } from './neighbour.ts'

/**
 * Builds what the stories start, some sixty times, and starts it once. As that ends cleanly, Node writes its compile
 * cache, which most of the others, which are killed, do not; and its data folder, with the tables, the administrator
 * and a second service provider, is copied for each of those on SQLite, which is cheaper than to make it.
 */
export default async function buildOnce() {
  await build()
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-stories-'))
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  const template = join(folder, 'data')
  const server = await startSwitchroom('sqlite', { SWITCHROOM_DATA: template })
  await server.kill('SIGTERM')
  addNeighbourToFile(join(template, 'switchroom.db'))
  await server.stop()
  process.env.TEST_TEMPLATE = template
  return () => rmSync(folder, { recursive: true, force: true })
}
