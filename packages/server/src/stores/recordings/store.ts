import type { Readable } from 'node:stream'
import { type Bucket, t } from '@switchroom/contract'
import { errorText } from '../../errors/members.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { openBucket } from '../buckets/open.ts'
import {
  GOOGLE,
  type ObjectStore,
  type Range,
  type Source,
  StoreRefused,
} from '../buckets/store.ts'
import { StoreUnavailable } from '../kit/unavailable.ts'
import { folderStore } from './folder.ts'

/** An account and its bucket; without a bucket, recordings are in the local folder. */
export type RecordingOwner = { account_sid: string; bucket: Bucket | undefined }

export type FoundRecording = {
  key: string
  size: number
  /** A stream of its bytes. Destroy it to stop reading. */
  open: (range: Range) => Promise<Readable>
  remove: () => Promise<void>
}

/** The store of complete recordings. Each may throw `StoreUnavailable`. */
export type RecordingStore = {
  /** The first existing key. Looks in the local folder as well, even with a bucket. */
  find: (owner: RecordingOwner, keys: string[]) => Promise<FoundRecording | undefined>
  /** Stores all or nothing. Replaces an existing recording. */
  keep: (owner: RecordingOwner, key: string, source: Source) => Promise<void>
  /** Stores in the local folder, for buckets that fail for too long. */
  keepHere: (account_sid: string, key: string, source: Source) => Promise<void>
  /** Deletes expired recordings in the local folder. Resolves to the bytes that are left. */
  forget: () => Promise<number>
}

export type RecordingFormat = 'mp3' | 'wav'

/** The key of a recording, by its start day as everywhere on the platform. */
export function keyOf(day: string, call_sid: string, format: RecordingFormat) {
  return `${day}/${call_sid}.${format}`
}

const two = (n: number) => String(n).padStart(2, '0')

/** 2026/01/31, in the server's time zone. */
export const dayOf = (at: Date) =>
  `${at.getFullYear()}/${two(at.getMonth() + 1)}/${two(at.getDate())}`

/** The previous day in the same format. */
export function dayBefore(year: number, month: number, day: number) {
  return dayOf(new Date(year, month - 1, day - 1))
}

/** For a request, and for the start of a response. */
const ASK_MS = 15_000
/** For a complete upload. */
const KEEP_MS = 30 * 60_000
const UNREACHABLE = t('The bucket of this account cannot be read right now')

type StoreAndKey = { store: ObjectStore; keyOf: (key: string) => string }
type Options = Parameters<typeof folderStore>[0]

/**
 * Recordings in the accounts' own buckets, and in a local folder for those without.
 * `google`: Google's addresses, replaced in tests.
 */
export function recordingStore(
  outbound: Outbound,
  options: Options,
  google = GOOGLE,
): RecordingStore {
  const folder = folderStore(options)
  const inFolder = (account_sid: string): StoreAndKey => ({
    store: folder,
    keyOf: (key) => `${account_sid}/${key}`,
  })
  const storeOf = async ({ account_sid, bucket }: RecordingOwner): Promise<StoreAndKey> =>
    bucket
      ? { store: await openBucket(outbound, bucket, google), keyOf: (key) => key }
      : inFolder(account_sid)

  async function findIn({ store, keyOf }: StoreAndKey, keys: string[]) {
    let refused: unknown
    for (const named of keys) {
      const key = keyOf(named)
      const size = await store.size(key, AbortSignal.timeout(ASK_MS)).catch((e: unknown) => {
        // without permission to list, missing objects are reported as forbidden
        if (!(e instanceof StoreRefused && e.problem === 'forbidden')) throw e
        refused = e
        return undefined
      })
      if (size === undefined) continue
      return {
        key: named,
        size,
        open: (range) => openWithTimeout((signal) => store.open(key, range, signal)),
        async remove() {
          await store.remove(key, AbortSignal.timeout(ASK_MS)).catch(unavailable)
        },
      } satisfies FoundRecording
    }
    if (refused !== undefined) throw refused
    return undefined
  }

  return {
    async find(owner, keys) {
      if (!owner.bucket) return findIn(inFolder(owner.account_sid), keys)
      let bucketError: unknown
      try {
        const recording = await withTimeout(storeOf(owner).then((place) => findIn(place, keys)))
        if (recording) return recording
      } catch (e) {
        bucketError = e
      }
      const recording = await findIn(inFolder(owner.account_sid), keys)
      if (recording) return recording
      if (bucketError !== undefined) unavailable(bucketError)
      return undefined
    },
    async keep(owner, key, source) {
      const { store, keyOf } = await withTimeout(storeOf(owner))
      await store.put(keyOf(key), source, AbortSignal.timeout(KEEP_MS))
    },
    async keepHere(account_sid, key, source) {
      const { store, keyOf } = inFolder(account_sid)
      await store.put(keyOf(key), source, AbortSignal.timeout(KEEP_MS))
    },
    forget: () => folder.forget(),
  }
}

/** Limits the time to open a stream. Reading it has no limit. */
async function openWithTimeout<T>(open: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(new Error('no answer in time')), ASK_MS)
  try {
    return await open(giveUp.signal)
  } catch (e) {
    return unavailable(e)
  } finally {
    clearTimeout(timer)
  }
}

// not everything in the libraries supports signals
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), 2 * ASK_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Drops the original message, since vendors and libraries may quote secrets. */
function unavailable(cause: unknown): never {
  const refused = cause instanceof StoreRefused ? cause.message : errorText(cause, 'name')
  throw new StoreUnavailable(UNREACHABLE, { cause: new Error(`The bucket: ${refused}`) })
}
