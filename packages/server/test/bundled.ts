import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../bundle.ts'

/** Bundles the server into a temporary folder where packages outside the bundle are found, with further entries. */
export async function bundled(entries: Record<string, string> = {}) {
  const cache = join(import.meta.dirname, '../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'bundle-'))
  return { folder, chunks: await bundle(folder, entries) }
}
