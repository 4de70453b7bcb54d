import { readdir, readFile, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { HEADER_BYTES, type Header, undefinedIfGone } from './batch-file.ts'

export const REFUSED_NAME = /^\d{16}-[\da-f-]{36}\.refused$/
/** Refused rows: how many by table, the time of the oldest batch (milliseconds since 1970), and the reason for the latest. */
export type Refused = { rows: Record<string, number>; since: number; why: string }

/** A file of refused rows, which is a batch with another ending, and the reasons in its header. */
export type RefusedFile = { file: string; bytes: number; since: number; parts: Header['parts'] }

export async function readRefused(file: string): Promise<RefusedFile | undefined> {
  const bytes = await readFile(file).catch(undefinedIfGone)
  if (!bytes) return undefined
  const since = Number(basename(file).slice(0, 16)) / 1_000
  try {
    const { parts } = JSON.parse(
      bytes.toString('utf8', HEADER_BYTES, HEADER_BYTES + bytes.readUInt32LE()),
    )
    return { file, bytes: bytes.length, since, parts }
  } catch {
    // somebody wrote to it
    return { file, bytes: bytes.length, since, parts: [] }
  }
}

/** The files of refused rows in a folder, oldest first. */
export async function refusedIn(folder: string): Promise<RefusedFile[]> {
  const names = (await readdir(folder).catch(undefinedIfGone)) ?? []
  const files = await Promise.all(
    names
      .filter((name) => REFUSED_NAME.test(name))
      .sort()
      .map((name) => readRefused(join(folder, name))),
  )
  return files.filter((file) => file !== undefined)
}

/** Undefined if there are none. */
export function refusedOf(files: readonly RefusedFile[]): Refused | undefined {
  const sorted = files.toSorted((a, b) => a.since - b.since)
  const [first] = sorted
  if (!first) return undefined
  const rows: Record<string, number> = {}
  for (const { into, rows: n = 0 } of sorted.flatMap(({ parts }) => parts)) {
    const [table = into] = into.split(' ')
    rows[table] = (rows[table] ?? 0) + n
  }
  return { rows, since: first.since, why: sorted.at(-1)?.parts.at(-1)?.why ?? '' }
}

/** Makes refused rows wait again: a running server finds them. Throws if the file is gone. */
export const retryRefused = ({ file }: RefusedFile) =>
  rename(file, file.replace(/refused$/, 'batch'))
