import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The stories start some eighty servers: Node compiles them once. It notes what it has compiled as it ends, and
 * most of those servers are killed; so one is started first that ends by itself, for want of a port.
 */
export default function compile() {
  const NODE_COMPILE_CACHE = mkdtempSync(join(tmpdir(), 'switchroom-compiled-'))
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE, HTTP_PORT: 'none' }
  spawnSync(process.execPath, ['packages/server/src/main.ts'], { cwd: root, env })
  process.env.NODE_COMPILE_CACHE = NODE_COMPILE_CACHE
  return () => rmSync(NODE_COMPILE_CACHE, { recursive: true, force: true })
}
