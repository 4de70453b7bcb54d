import type { Readable } from 'node:stream'
import type { Bucket } from '@switchroom/contract'
import type { Range, Source } from './buckets/store.ts'

/** Whose recordings, and where that account wants them; without a bucket, in a folder of ours. */
export type RecordingOwner = { account_sid: string; bucket: Bucket | undefined }

export type FoundRecording = {
  key: string
  size: number
  /** Its bytes as they come. Let go of by destroying it. */
  open: (range: Range) => Promise<Readable>
  remove: () => Promise<void>
}

/** Where whole recordings are kept. Each may throw `StoreUnavailable`. */
export type RecordingStore = {
  /** The first of the keys that is there. What lies in our folder is found beside a bucket too. */
  find: (owner: RecordingOwner, keys: string[]) => Promise<FoundRecording | undefined>
  /** All of it or nothing. What was there under this key is replaced. */
  keep: (owner: RecordingOwner, key: string, source: Source) => Promise<void>
  /** In our folder whatever the account wants: its bucket has not taken it for too long. */
  keepHere: (account_sid: string, key: string, source: Source) => Promise<void>
  /** Forgets what in our folder is too old or too much. Resolves to the bytes that are left. */
  forget: () => Promise<number>
}

export type RecordingFormat = 'mp3' | 'wav'

/** As every part of the platform names them: by the day when they began. */
export function keyOf(day: string, call_sid: string, format: RecordingFormat) {
  return `${day}/${call_sid}.${format}`
}

const two = (n: number) => String(n).padStart(2, '0')

/** 2026/01/31, where this server is. */
export const dayOf = (at: Date) =>
  `${at.getFullYear()}/${two(at.getMonth() + 1)}/${two(at.getDate())}`

/** The day before one that is written so. */
export function dayBefore(year: number, month: number, day: number) {
  return dayOf(new Date(year, month - 1, day - 1))
}
