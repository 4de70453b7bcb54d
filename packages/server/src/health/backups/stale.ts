import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const STALE_MS = 86_400_000

/** Deletes what killed processes left behind. Others may be at work. */
export async function removeStale(folder: string, names: RegExp) {
  for (const name of await readdir(folder)) {
    if (!names.test(name)) continue
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats && stats.mtimeMs < Date.now() - STALE_MS)
      await rm(path, { recursive: true, force: true })
  }
}
