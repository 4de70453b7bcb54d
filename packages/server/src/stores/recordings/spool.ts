import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../errors/members.ts'

/** What is known of a recording before its sound. */
export type Job = {
  id: string
  account_sid: string
  call_sid: string
  /** When it began, in milliseconds since 1970. */
  begun: number
  rate: number
  format: 'mp3' | 'wav'
  metadata: Record<string, string>
}

/** One that nobody has touched for so long is nobody's any more. */
export const STALE_MS = 120_000
const ID = /^([\da-f-]{36})\.json$/

/**
 * Sound as it comes in, in files: a bucket that is slow or away, or the end of this process, loses none of
 * it. Several processes may share the folder: whoever has a job in hand touches it, and one that was left
 * alone is taken up by anybody.
 */
export class Spool {
  #folder: string
  #max_bytes: number
  #bytes = 0
  /** What has become of uploads since the start. */
  readonly counts = { kept: 0, empty: 0, refused: 0, broken: 0, failed: 0, ownerless: 0 }
  #mine = new Set<string>()

  constructor({ folder, max_bytes }: { folder: string; max_bytes: number }) {
    this.#folder = folder
    this.#max_bytes = max_bytes
  }

  /** The files of a job: what is known of it, its sound, and what becomes of that. */
  filesOf(id: string) {
    const file = (kind: string) => join(this.#folder, `${id}.${kind}`)
    return { job: file('json'), pcm: file('pcm'), mp3: file('mp3') }
  }

  /** Whether as much is waiting as there may be. */
  get isFull() {
    return this.#bytes >= this.#max_bytes
  }

  get bytes() {
    return this.#bytes
  }

  /** Takes a new job in hand. What is written to the stream is its sound. */
  async begin(job: Job): Promise<WriteStream> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const { job: file, pcm } = this.filesOf(job.id)
    this.#mine.add(job.id)
    await writeFile(file, JSON.stringify(job), { mode: 0o600, flag: 'wx' })
    return createWriteStream(pcm, { mode: 0o600, flags: 'wx' })
  }

  /** So much more sound has come in. */
  grow(bytes: number) {
    this.#bytes += bytes
  }

  /** Says that a job is still in hand. */
  async touch(id: string) {
    await this.#set(id, Date.now())
  }

  async #set(id: string, at: number) {
    const time = new Date(at)
    // a job that is done meanwhile needs no time any more
    await utimes(this.filesOf(id).job, time, time).catch(ignoreMissing)
  }

  /** Lets go of a job, for anybody to take up after so many milliseconds. */
  async release(id: string, after = 0) {
    this.#mine.delete(id)
    await this.#set(id, Date.now() - STALE_MS + after)
  }

  async remove(id: string) {
    const { job, pcm, mp3 } = this.filesOf(id)
    // the job last: without it the rest would be nobody's
    for (const file of [mp3, pcm, job]) await rm(file, { force: true })
    this.#mine.delete(id)
  }

  /** Takes in hand what nobody has, and counts what there is. */
  async due(now = Date.now()): Promise<Job[]> {
    const jobs: Job[] = []
    let bytes = 0
    for (const name of (await readdir(this.#folder).catch(ignoreMissing)) ?? []) {
      const found = await stat(join(this.#folder, name)).catch(ignoreMissing)
      if (!found) continue
      bytes += found.size
      const id = ID.exec(name)?.[1]
      if (!id || this.#mine.has(id) || found.mtimeMs > now - STALE_MS) continue
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
      // only ever what this class has written
      const read = JSON.parse(await readFile(job, 'utf8')) as Job
      await stat(pcm)
      return read
    } catch (e) {
      // cut off while it was begun: there is no sound of it
      if (!(e instanceof SyntaxError)) ignoreMissing(e)
      await this.remove(id)
      return undefined
    }
  }
}

function ignoreMissing(e: unknown): undefined {
  if (errorCode(e) !== 'ENOENT') throw e
}
