import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '../../errors/members.ts'
import type { ObjectStore } from '../buckets/store.ts'
import { makeDurableFolder, syncFolder } from '../kit/durable.ts'

const DAY_MS = 86_400_000
/** The key: account, day, call and format. It cannot contain a path that leads elsewhere. */
const KEY = /^[\da-f-]{36}\/\d{4}\/\d\d\/\d\d\/[\da-f-]{36}\.(?:mp3|wav)$/

const isMissing = (e: unknown) => errorCode(e) === 'ENOENT'
const orUndefined = (e: unknown) => {
  if (isMissing(e)) return undefined
  throw e
}

type Options = {
  folder: string
  /** Older records are deleted. */
  days: number
  /** Above this size the oldest records are deleted. */
  max_bytes: number
}

/** Recordings as files. Keys start with the account's sid. */
export function folderStore({ folder, days, max_bytes }: Options) {
  const fileOf = (key: string) => {
    if (!KEY.test(key)) throw new Error('Not the key of a recording')
    return join(folder, key)
  }
  return {
    async put(key, { size, read }, signal) {
      const file = fileOf(key)
      const part = `${file}.part`
      await makeDurableFolder(dirname(file))
      // readers find the complete file or none
      try {
        await pipeline(Readable.from(read(0, size)), createWriteStream(part, { mode: 0o600 }), {
          signal,
        })
        await synced(await open(part, 'r+'))
        await rename(part, file)
        await syncFolder(dirname(file))
      } catch (e) {
        // on a full disk it would take the space that the next try needs
        await rm(part, { force: true })
        throw e
      }
    },
    async size(key) {
      return (await stat(fileOf(key)).catch(orUndefined))?.size
    },
    async open(key, { from, to }) {
      const handle = await open(fileOf(key))
      return createReadStream('', { fd: handle, start: from, end: to })
    },
    remove: (key) => rm(fileOf(key), { force: true }),

    /** Deletes expired recordings. Resolves to the bytes that are left. */
    async forget(now = Date.now()): Promise<number> {
      const kept: { file: string; size: number; at: number }[] = []
      for await (const file of filesBelow(folder)) {
        const stats = await stat(file).catch(orUndefined)
        if (!stats) continue
        // partial files of killed processes are not recordings
        const limit = file.endsWith('.part') ? 1 : days
        if (stats.mtimeMs < now - limit * DAY_MS) await rm(file, { force: true })
        else kept.push({ file, size: stats.size, at: stats.mtimeMs })
      }
      let sum = kept.reduce((bytes, { size }) => bytes + size, 0)
      if (sum <= max_bytes) return sum
      for (const { file, size } of kept.sort((a, b) => a.at - b.at)) {
        await rm(file, { force: true })
        sum -= size
        if (sum <= max_bytes) break
      }
      return sum
    },
  } satisfies ObjectStore & Record<string, unknown>
}

async function synced(handle: FileHandle) {
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Only folders of accounts: the spool is beside them. */
async function* filesBelow(folder: string, depth = 0): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(orUndefined)
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name)
    if (depth === 0 && !/^[\da-f-]{36}$/.test(entry.name)) continue
    if (entry.isDirectory()) yield* filesBelow(path, depth + 1)
    else if (entry.isFile()) yield path
  }
}
