import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { appendFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { t } from '@switchroom/contract'
import { Encrypter } from 'age-encryption'
import { type Pack, pack } from 'tar-stream'
import { makeFolder } from '../../stores/kit/durable.ts'
import { BackupFailed, inWords } from './failure.ts'
import { DATA, FORMAT, HEADER, type Header, MAIN, SUMS, Sums } from './manifest.ts'
import { partialOf } from './names.ts'
import { verifyBackup } from './read.ts'
import { copyDatabase, type Frozen, filesOf, freeze, isDatabase, STAGING } from './snapshot.ts'
import { removeStale } from './stale.ts'
import { fromWeb, toWeb } from './web-streams.ts'

export type BackupJob = {
  /** The data folder. */
  data: string
  /** The file to write. Must not exist. */
  file: string
  passphrase: string
  version: string
  database: Header['database']
  recordings: boolean
  secrets: string[]
  /** The cost of a guess at the passphrase, as a power of two. */
  work_factor?: number
}

export type Written = {
  file: string
  bytes: number
  files: number
  /** What is in the backup but not as it should be, and what is not in it. */
  warnings: string[]
}

/**
 * 64 MB of memory and a third of a second per guess. age's own default takes 256 MB, too much beside a server
 * on a small machine; the passphrase has to be long instead.
 */
const WORK_FACTOR = 16
export const MIN_PASSPHRASE = 12

/**
 * Writes everything in the data folder to an encrypted archive, reads it back, and only then gives it its
 * name. The server may be running. Throws `BackupFailed`, and leaves nothing.
 */
export async function writeBackup(job: BackupJob, signal?: AbortSignal): Promise<Written> {
  if (job.passphrase.length < MIN_PASSPHRASE)
    throw new BackupFailed(
      'refused',
      t('The passphrase must have at least {MIN_PASSPHRASE} characters.', { MIN_PASSPHRASE }),
    )
  const folder = dirname(job.file)
  const partial = join(folder, partialOf(basename(job.file)))
  const staging = join(job.data, `.backup-${randomBytes(4).toString('hex')}`)
  try {
    await refuseExisting(job.file)
    makeFolder(folder)
    makeFolder(job.data)
    await removeStale(job.data, STAGING)
    await mkdir(staging, { mode: 0o700 })
    const result = await writeArchive(job, { partial, staging, signal })
    const { damaged } = await verifyBackup({ ...job, file: partial, staging, signal })
    const { size } = await stat(partial)
    await refuseExisting(job.file)
    await rename(partial, job.file)
    await synced(folder)
    return {
      ...result,
      file: job.file,
      bytes: size,
      warnings: [...result.warnings, ...damaged.map((name) => t('{name} is damaged.', { name }))],
    }
  } catch (e) {
    await rm(partial, { force: true })
    throw inWords(e)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function refuseExisting(file: string) {
  if (await stat(file).catch(() => undefined))
    throw new BackupFailed('refused', t('{file} exists already.', { file }))
}

async function synced(folder: string) {
  const handle = await open(folder)
  try {
    await handle.sync()
  } catch {
    // some network file systems cannot sync a folder
  } finally {
    await handle.close()
  }
}

type Target = { tar: Pack; signal: AbortSignal }
type Work = { partial: string; staging: string; signal: AbortSignal | undefined }

async function writeArchive(job: BackupJob, { partial, staging, signal }: Work) {
  const encrypter = new Encrypter()
  encrypter.setScryptWorkFactor(job.work_factor ?? WORK_FACTOR)
  encrypter.setPassphrase(job.passphrase)
  const failed = new AbortController()
  const stop = { signal: signal ? AbortSignal.any([signal, failed.signal]) : failed.signal }
  const tar = pack()
  // reported by the pipeline as well, but without a listener it would end the process
  tar.on('error', () => undefined)
  const compressed = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } })
  const encrypted = await encrypter.encrypt(toWeb(compressed))
  const steps = [
    addFiles(job, { tar, ...stop }, staging),
    pipeline(tar, compressed, stop),
    pipeline(
      fromWeb(encrypted),
      createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true }),
      stop,
    ),
  ] as const
  try {
    const [added] = await Promise.all(steps)
    return added
  } catch (e) {
    failed.abort()
    tar.destroy()
    await Promise.allSettled(steps)
    throw e
  }
}

/** Adds everything to the archive, one copied database at a time. */
async function addFiles(job: BackupJob, to: Target, staging: string) {
  const copy = join(staging, 'copy')
  const list = join(staging, SUMS)
  const sums = new Sums()
  const warnings: string[] = []
  const add = async (name: string, file: Frozen) => {
    const line = sums.add(name, await addFile(to, name, file))
    await appendFile(list, line, { mode: 0o600 })
  }
  const addPath = async (name: string, path: string) => {
    const file = await freeze(path)
    if (file) await add(name, file)
  }

  const { format, version, database, recordings, secrets } = { ...job, format: FORMAT }
  const header: Header = {
    ...{ format, version, database, recordings, secrets },
    created_at: new Date().toISOString(),
  }
  const headerFile = join(staging, HEADER)
  await writeFile(headerFile, JSON.stringify(header, null, 2), { mode: 0o600 })
  await addPath(HEADER, headerFile)

  /** Without the header. */
  const dataFiles = () => sums.files - 1
  const addFound = async (name: string, path: string) => {
    const copied = isDatabase(name) ? await copyDatabase(path, copy) : false
    if (copied === undefined) return
    await addPath(name, copied ? copy : path)
    await rm(copy, { force: true })
  }
  // first, because the other files hold what it refers to
  const main = join(job.data, 'switchroom.db')
  if (job.database === 'embedded') await addFound(MAIN, main)
  if (job.database === 'embedded' && dataFiles() === 0)
    throw new BackupFailed(
      'refused',
      t(
        "SWITCHROOM_DATA: there is no database file {main}. Run this with the server's own variables, in the folder where it starts.",
        { main },
      ),
    )
  const wanted = (name: string) => name !== MAIN && (job.recordings || name !== `${DATA}recordings`)
  const onUnsafe = (name: string) =>
    warnings.push(t('{name} is not in the backup because of its name.', { name }))
  for await (const { name, path } of filesOf(job.data, { wanted, onUnsafe }))
    await addFound(name, path)

  const file = await freeze(list)
  if (file) await addFile(to, SUMS, file)
  to.tar.finalize()
  return { files: dataFiles(), warnings }
}

/** Resolves to the SHA-256 of what was added. */
async function addFile({ tar, signal }: Target, name: string, { handle, size }: Frozen) {
  const hash = createHash('sha256')
  try {
    const { mtime } = await handle.stat()
    const entry = tar.entry({ name, size, mtime, mode: 0o600, type: 'file' })
    // it is destroyed with the archive, which reports why; without a listener that would end the process
    entry.on('error', () => undefined)
    const added = once(entry, 'close', { signal })
    added.catch(() => undefined)
    if (size > 0)
      for await (const chunk of handle.createReadStream({ end: size - 1, autoClose: false })) {
        hash.update(chunk)
        if (!entry.write(chunk)) await once(entry, 'drain', { signal })
      }
    entry.end(undefined)
    await added
  } finally {
    await handle.close()
  }
  return hash.digest('hex')
}
