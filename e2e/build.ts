import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../scripts/build.ts'
import { START } from '../scripts/start-command.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Builds what the stories start, some eighty times; with a shared cache Node compiles it once. Node writes the cache
 * on a clean exit, but most of those servers are killed. So this first starts one that exits: its port is invalid.
 */
export default async function buildOnce() {
  await build()
  const NODE_COMPILE_CACHE = mkdtempSync(join(tmpdir(), 'switchroom-compiled-'))
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE, HTTP_PORT: 'none' }
  spawnSync(process.execPath, START, { cwd: root, env })
  process.env.NODE_COMPILE_CACHE = NODE_COMPILE_CACHE
  return () => rmSync(NODE_COMPILE_CACHE, { recursive: true, force: true })
}
