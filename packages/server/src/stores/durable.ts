import { mkdir, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Resolves when the names in a folder survive a power cut, as `sync` does it for the contents of a file. */
export async function syncFolder(folder: string) {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates a folder and those above it, whose names survive a power cut. */
export async function makeDurableFolder(folder: string) {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const last = dirname(resolve(first))
  for (let made = resolve(folder); made !== last; made = dirname(made))
    await syncFolder(dirname(made))
}
