import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The stories start some eighty servers; with a shared cache Node compiles the code once. Node writes the cache
 * on a clean exit, but most of those servers are killed. So this first starts one that exits: its port is invalid.
 */
export default function compile() {
  const NODE_COMPILE_CACHE = mkdtempSync(join(tmpdir(), 'switchroom-compiled-'))
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE, HTTP_PORT: 'none' }
  spawnSync(process.execPath, ['packages/server/src/main.ts'], { cwd: root, env })
  process.env.NODE_COMPILE_CACHE = NODE_COMPILE_CACHE
  return () => rmSync(NODE_COMPILE_CACHE, { recursive: true, force: true })
}
