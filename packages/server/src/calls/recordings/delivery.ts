import { stat } from 'node:fs/promises'
import { type Bucket, plural, t } from '@switchroom/contract'
import { errorCode, errorText } from '../../errors/members.ts'
import type { Context } from '../../http/context.ts'
import { every } from '../../live/every.ts'
import type { Source } from '../../stores/buckets/store.ts'
import { type Job, STALE_MS } from '../../stores/recordings/spool.ts'
import { dayOf, keyOf } from '../../stores/recordings/store.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { noteEvent, thingOfCall } from '../../tenants/event-notes.ts'

/** Each encoding takes one processor. */
const AT_ONCE = 2
const LOOK_EVERY_MS = 30_000
const FORGET_EVERY_MS = 3_600_000
const AGAIN_AFTER_MS = 60_000
/** A bucket that fails for this long after the call does not get the recording, which would fill the shared disk. */
const GIVE_UP_MS = 3_600_000

/** Uploads finished recordings to their accounts' stores, with retries. */
export function delivering(ctx: Pick<Context, 'db' | 'box' | 'stores' | 'log' | 'health'>) {
  const { incoming, recordings } = ctx.stores
  const waiting: Job[] = []
  const running = new Set<Promise<void>>()
  const loops: ReturnType<typeof every>[] = []
  /** Accounts whose latest recording could not be stored, with the reason. */
  const failing = new Map<string, string>()
  let closed = false

  function report(account_sid: string, reason: string | undefined) {
    if (reason === undefined) failing.delete(account_sid)
    else failing.set(account_sid, reason)
    ctx.health.measure('recordings_failing_accounts', failing.size)
    const [first] = failing
    if (!first) return ctx.health.report('buckets', 'ok', t('The latest recording was stored'))
    const [account, why] = first
    ctx.health.report(
      'buckets',
      'degraded',
      plural(
        failing.size,
        'Recordings of one account cannot be stored: {account} ({why})|Recordings of {n} accounts cannot be stored: {account} ({why})',
        { account, why },
      ),
    )
  }

  async function bring(job: Job, bucket: Bucket | undefined, source: Source, ended_ms: number) {
    const { account_sid, call_sid, begun, format } = job
    const key = keyOf(dayOf(new Date(begun)), call_sid, format)
    try {
      await recordings.keep({ account_sid, bucket }, key, source)
    } catch (e) {
      if (!bucket || Date.now() - ended_ms < GIVE_UP_MS) throw e
      ctx.log.warn(
        { account_sid, call_sid },
        'bucket upload failed for too long: recording kept on this server',
      )
      await recordings.keepHere(account_sid, key, source)
    }
  }

  async function deliver(job: Job) {
    const { id, account_sid, call_sid, rate, format } = job
    const touching = every(STALE_MS / 4, () => incoming.touch(id), { onError })
    try {
      const files = incoming.filesOf(id)
      const account = await accounts.recordingOf(ctx, account_sid)
      // written last when the call ended
      const { size, mtimeMs } = await stat(files.pcm)
      if (account && size >= 4) {
        // many servers receive none
        const { mp3Of, wavOf } = await import('../../stores/recordings/encode.ts')
        const metadata = metadataOf(job, account.bucket)
        const pcm = { file: files.pcm, rate }
        const source =
          format === 'wav' ? await wavOf(pcm, metadata) : await mp3Of(pcm, files.mp3, metadata)
        await bring(job, account.bucket, source, mtimeMs)
        // before the job's removal: another process reports it again after a crash
        await noteEvent(ctx.db, 'recording.ready', {
          ...{ account_sid, thing: thingOfCall(call_sid), data: { call_sid, format } },
        })
        incoming.counts.kept++
        report(account_sid, undefined)
      } else if (account) incoming.counts.empty++
      else incoming.counts.ownerless++
      await incoming.remove(id)
    } catch (e) {
      incoming.counts.failed++
      // messages of libraries and vendors may quote credentials
      const name = errorText(e, 'name')
      const reason = name === 'StoreRefused' ? errorText(e, 'message') : errorCode(e)
      // the account's other recordings wait for the same bucket
      if (!failing.has(account_sid))
        ctx.log.error(
          { account_sid, call_sid, error: name, why: reason },
          'recording could not be stored, will be retried',
        )
      report(account_sid, reason ?? name ?? t('unknown reason'))
      await incoming.release(id, AGAIN_AFTER_MS)
    } finally {
      await touching.stop()
    }
  }

  function next() {
    while (!closed && running.size < AT_ONCE && waiting.length > 0) {
      const work: Promise<void> = deliver(waiting.shift()!)
        .catch((err: Error) => ctx.log.error({ err }, 'recording delivery failed'))
        .finally(() => {
          running.delete(work)
          next()
        })
      running.add(work)
    }
  }

  async function push(job: Job) {
    if (closed) return incoming.release(job.id)
    waiting.push(job)
    next()
  }
  const look = async () => {
    for (const job of await incoming.due()) await push(job)
  }
  const onError = (err: unknown) => ctx.log.error({ err }, 'recordings')

  return {
    /** Queues a recording whose audio is complete. */
    push,
    /** Picks up recordings that another or an earlier process left. */
    look,
    start() {
      loops.push(
        every(LOOK_EVERY_MS, look, { onError, atOnce: true }),
        every(FORGET_EVERY_MS, () => recordings.forget(), { onError, atOnce: true }),
      )
    },
    /** Resolves when no upload is running. */
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
    async close() {
      closed = true
      await Promise.all(loops.map((loop) => loop.stop()))
      for (const job of waiting) await incoming.release(job.id)
      await Promise.all(running)
    },
  }
}
export type Delivery = ReturnType<typeof delivering>

/** The size limit of S3 metadata, with some margin. */
const METADATA_BYTES = 1_800

/** Metadata of the call and the bucket's tags, with names that every vendor accepts. */
export function metadataOf({ metadata }: Pick<Job, 'metadata'>, bucket: Bucket | undefined) {
  const tags = (bucket?.tags ?? []).map(({ Key, Value }) => [Key, Value] as const)
  const fitting: Record<string, string> = {}
  let room = METADATA_BYTES
  for (const [key, value] of [...Object.entries(metadata), ...tags]) {
    const name = String(key).replace(/\W/g, '_').replace(/^\d/, '_$&').slice(0, 64)
    const text = ascii(String(value)).slice(0, 256)
    room -= name.length + text.length
    if (room < 0) break
    if (name && text) fitting[name] = text
  }
  return fitting
}

/** Header values must be ASCII. */
const ascii = (text: string) =>
  text
    .toWellFormed()
    .replace(/[^\x20-\x24\x26-\x7e]/gu, (c) => encodeURIComponent(c))
    .trim()
