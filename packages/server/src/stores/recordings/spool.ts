import { createWriteStream, existsSync, type WriteStream } from 'node:fs'
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { errorCode } from '../../errors/members.ts'
import { isSetAside, setAside } from '../kit/damage.ts'
import { makeDurableFolder, syncFolder } from '../kit/durable.ts'
import { writeLine } from '../kit/failure-log.ts'
import { knownVersion, NewerFile } from '../kit/formats.ts'

/** A recording's metadata, known before its audio. */
export type Job = {
  id: string
  account_sid: string
  call_sid: string
  /** The start, in milliseconds since 1970. */
  begun: number
  rate: number
  format: 'mp3' | 'wav'
  metadata: Record<string, string>
}

/** The version of the files of metadata. Those without one are of the first. */
const VERSION = 1
type Note = Job & { version?: number }

/** A job that was not touched for this long is free for others. */
export const STALE_MS = 120_000
const ID = /^([\da-f-]{36})\.json$/

/**
 * Spools incoming audio in files, so that slow buckets, outages and crashes lose none of
 * it. Several processes may share the folder: a process touches its jobs, and others take over jobs
 * that are no longer touched.
 */
export class Spool {
  readonly folder: string
  #max_bytes: number
  #bytes = 0
  /** Counters of uploads since the start. */
  readonly counts = { kept: 0, empty: 0, refused: 0, broken: 0, failed: 0, ownerless: 0 }
  #mine = new Set<string>()
  /** The metadata that a newer version wrote. */
  #newer = new Set<string>()

  constructor({ folder, max_bytes }: { folder: string; max_bytes: number }) {
    this.folder = folder
    this.#max_bytes = max_bytes
  }

  /** The files of a job: metadata, audio and its encoding. */
  filesOf(id: string) {
    const file = (kind: string) => join(this.folder, `${id}.${kind}`)
    return { job: file('json'), pcm: file('pcm'), mp3: file('mp3') }
  }

  /** Whether the spool is full. */
  get isFull() {
    return this.#bytes >= this.#max_bytes
  }

  get bytes() {
    return this.#bytes
  }

  /** Creates a job. Its audio is written to the stream, which `finish` ends. */
  async begin(job: Job): Promise<WriteStream> {
    await makeDurableFolder(this.folder)
    const { job: file, pcm } = this.filesOf(job.id)
    this.#mine.add(job.id)
    try {
      const note: Note = { version: VERSION, ...job }
      await writeFile(file, JSON.stringify(note), { mode: 0o600, flag: 'wx', flush: true })
    } catch (e) {
      // a full disk leaves an empty file
      await this.remove(job.id)
      throw e
    }
    return createWriteStream(pcm, { mode: 0o600, flags: 'wx', flush: true })
  }

  /** Ends a job's audio. Resolves when it survives a power cut. */
  async finish(audio: WriteStream) {
    audio.end()
    await finished(audio)
    await syncFolder(this.folder)
  }

  /** Counts received bytes. */
  grow(bytes: number) {
    this.#bytes += bytes
  }

  /** Marks a job as still in progress. */
  async touch(id: string) {
    await this.#setTime(id, Date.now())
  }

  async #setTime(id: string, at: number) {
    const time = new Date(at)
    // the job is done already
    await utimes(this.filesOf(id).job, time, time).catch(ignoreMissing)
  }

  /** Releases a job, for any process to take after this many milliseconds. */
  async release(id: string, after = 0) {
    this.#mine.delete(id)
    await this.#setTime(id, Date.now() - STALE_MS + after)
  }

  async remove(id: string) {
    const { job, pcm, mp3 } = this.filesOf(id)
    // the metadata last: without it the rest would be orphaned
    for (const file of [mp3, pcm, job]) await rm(file, { force: true })
    this.#mine.delete(id)
  }

  /** The metadata of recordings that wait for a newer version of this program. */
  newer = () => [...this.#newer].filter((file) => existsSync(file))

  /** Takes over free jobs, and counts the bytes in the spool. Those of a newer version stay as they are. */
  async due(now = Date.now()): Promise<Job[]> {
    const jobs: Job[] = []
    let bytes = 0
    for (const name of (await readdir(this.folder).catch(ignoreMissing)) ?? []) {
      const stats = await stat(join(this.folder, name)).catch(ignoreMissing)
      if (!stats) continue
      if (isSetAside(name)) continue
      bytes += stats.size
      const id = ID.exec(name)?.[1]
      // touched in the future: by a clock that ran ahead
      const isTouched = Math.abs(now - stats.mtimeMs) < STALE_MS
      if (!id || this.#mine.has(id) || isTouched) continue
      const job = await this.#read(id)
      if (!job) continue
      this.#mine.add(id)
      await this.touch(id)
      jobs.push(job)
    }
    this.#bytes = bytes
    return jobs
  }

  async #read(id: string): Promise<Job | undefined> {
    const { job, pcm } = this.filesOf(id)
    try {
      // this class wrote the file
      const { version = 1, ...read }: Note = JSON.parse(await readFile(job, 'utf8'))
      knownVersion(job, version, VERSION)
      await stat(pcm)
      return read
    } catch (e) {
      if (e instanceof NewerFile) {
        if (!this.#newer.has(job)) writeLine('error', { file: job }, e.message)
        this.#newer.add(job)
        return undefined
      }
      if (!(e instanceof SyntaxError)) ignoreMissing(e)
      const { size } = (await stat(pcm).catch(ignoreMissing)) ?? { size: 0 }
      // cut off at the start, so there is no audio
      if (size === 0) await this.remove(id)
      else for (const file of [job, pcm]) setAside(file, 'what it is a recording of is unreadable')
      return undefined
    }
  }
}

function ignoreMissing(e: unknown): undefined {
  if (errorCode(e) !== 'ENOENT') throw e
}
