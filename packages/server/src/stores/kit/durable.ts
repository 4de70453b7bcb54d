import { existsSync, mkdirSync, statSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorCode } from '../../errors/members.ts'

/** Resolves when the names in a folder survive a power cut, as `sync` does it for the contents of a file. */
export async function syncFolder(folder: string) {
  const handle = await open(folder)
  try {
    await handle.sync().catch(ignoreUnable)
  } finally {
    await handle.close()
  }
}

/** Some network file systems cannot do it. */
function ignoreUnable(e: unknown) {
  if (!['EINVAL', 'ENOTSUP'].includes(errorCode(e) ?? '')) throw e
}

// Node's own `recursive` never ends where folders cannot be made and do not exist, as in /proc

/** Creates a folder and those above it, whose names survive a power cut. */
export async function makeDurableFolder(folder: string) {
  const parent = dirname(resolve(folder))
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (e) {
    if (isFolder(folder)) return
    if (errorCode(e) !== 'ENOENT' || parent === resolve(folder) || existsSync(parent)) throw e
    await makeDurableFolder(parent)
    return makeDurableFolder(folder)
  }
  await syncFolder(parent)
}

/** Creates a folder and those above it. */
export function makeFolder(folder: string) {
  const parent = dirname(resolve(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (e) {
    if (isFolder(folder)) return
    if (errorCode(e) !== 'ENOENT' || parent === resolve(folder) || existsSync(parent)) throw e
    makeFolder(parent)
    makeFolder(folder)
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
