import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { t } from '@switchroom/contract'
import { Decrypter } from 'age-encryption'
import { extract } from 'tar-stream'
import { verify } from '../../audit/verify.ts'
import { fileReason } from '../../config/cannot-start.ts'
import { onSqlite } from '../../db/open.ts'
import { errorCode, errorMessage, errorText } from '../../errors/members.ts'
import { BackupFailed, diskFailure } from './failure.ts'
import { FORMAT, HEADER, Header, isSafe, MAIN, SUMS, Sums } from './manifest.ts'
import { isDatabase } from './snapshot.ts'
import { fromWeb, toWeb } from './web-streams.ts'

export type Source = {
  file: string
  passphrase: string
  signal?: AbortSignal | undefined
}

/** Where a file of the archive is written to; undefined to only check it. */
type Place = (name: string) => string | undefined
/** Called with every file that was written, once it is complete and closed. */
type OnFile = (name: string, path: string) => Promise<void>

const MAX_HEADER = 65_536

const damaged = (file: string, cause?: unknown) =>
  new BackupFailed(
    'damaged',
    t('{file} is damaged or incomplete. Use another backup.', { file }),
    cause,
  )

/**
 * Reads an archive to its end and checks every file of it. Resolves to its header. Throws `BackupFailed`.
 */
export async function readBackup(source: Source, place: Place, onFile: OnFile): Promise<Header> {
  const { file, signal } = source
  const input = createReadStream(file)
  const tar = extract()
  // reported by the pipeline as well, but without a listener it would end the process
  tar.on('error', () => undefined)
  const feeding = decrypted(source, input).then((plain) =>
    pipeline(plain, createZstdDecompress(), tar, { signal }),
  )
  const reading = readEntries(tar, file, place, onFile)
  try {
    const [header] = await Promise.all([reading, feeding])
    return header
  } catch (e) {
    tar.destroy()
    input.destroy()
    const [fed, read] = await Promise.allSettled([feeding, reading])
    if (signal?.aborted) throw e
    // the reason, rather than what it interrupted
    const reasons = [
      e,
      fed.status === 'rejected' && fed.reason,
      read.status === 'rejected' && read.reason,
    ]
    const isReason = (reason: unknown) => reason instanceof BackupFailed || isOfDisk(reason)
    throw reasons.find(isReason) ?? damaged(file, e)
  }
}

/** Errors of this disk, such as ENOSPC, say nothing about the archive. */
const isOfDisk = (e: unknown) =>
  diskFailure(e) !== undefined ||
  (errorText(e, 'syscall') !== undefined && errorCode(e) !== 'EEXIST')

async function decrypted({ file, passphrase }: Source, input: Readable) {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    const plain = await decrypter.decrypt(toWeb(input))
    return fromWeb(plain)
  } catch (e) {
    if (errorText(e, 'syscall') !== undefined)
      throw new BackupFailed(
        'refused',
        t('{file} cannot be read ({reason}).', { file, reason: fileReason(e) }),
        e,
      )
    if (/no identity matched/.test(errorMessage(e)))
      throw new BackupFailed(
        'passphrase',
        t('The passphrase is wrong, or the first bytes of {file} are damaged.', { file }),
        e,
      )
    throw new BackupFailed('damaged', t('{file} is not a backup, or is damaged.', { file }), e)
  }
}

/** The types of tar-stream leave open what a chunk is. */
async function* chunksOf(entry: AsyncIterable<unknown>) {
  for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk
}

async function readEntries(
  tar: ReturnType<typeof extract>,
  file: string,
  place: Place,
  onFile: OnFile,
) {
  const sums = new Sums()
  let header: Header | undefined
  let complete = false
  for await (const entry of tar) {
    const { name, type, size = 0, pax } = entry.header
    if (complete || type !== 'file' || pax) throw damaged(file)
    if (!header) {
      if (name !== HEADER || size > MAX_HEADER) throw damaged(file)
      const chunks = await Array.fromAsync(chunksOf(entry))
      const bytes = Buffer.concat(chunks)
      header = readHeader(file, bytes)
      sums.add(name, createHash('sha256').update(bytes).digest('hex'))
    } else if (name === SUMS) {
      const hash = createHash('sha256')
      for await (const chunk of chunksOf(entry)) hash.update(chunk)
      if (hash.digest('hex') !== sums.digest()) throw damaged(file)
      complete = true
    } else {
      if (!isSafe(name)) throw damaged(file)
      const path = place(name)
      sums.add(name, await receive(chunksOf(entry), path))
      if (path !== undefined) await onFile(name, path)
    }
  }
  if (!header || !complete) throw damaged(file)
  return header
}

function readHeader(file: string, bytes: Buffer): Header {
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch (e) {
    throw damaged(file, e)
  }
  // a newer format may have other members
  const format = json instanceof Object ? Number(Reflect.get(json, 'format')) : Number.NaN
  if (format > FORMAT)
    throw new BackupFailed(
      'newer',
      t(
        '{file} was written by a newer version of Switchroom ({version}). Restore it with that version.',
        { file, version: String(Reflect.get(Object(json), 'version')) },
      ),
    )
  const header = Header.safeParse(json)
  if (!header.success) throw damaged(file, header.error)
  return header.data
}

/** Writes a file that must not exist, and resolves to the SHA-256 of its content. */
async function receive(content: AsyncIterable<Uint8Array>, path: string | undefined) {
  const hash = createHash('sha256')
  let handle: FileHandle | undefined
  try {
    if (path !== undefined) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      handle = await open(path, 'wx', 0o600)
    }
    for await (const chunk of content) {
      hash.update(chunk)
      await handle?.writeFile(chunk)
    }
    await handle?.sync()
  } finally {
    await handle?.close()
  }
  return hash.digest('hex')
}

/**
 * Reads a backup to its end, and checks each database in it. Call data that is damaged is named, as it is no
 * reason to have no backup. Throws `BackupFailed`.
 */
export async function verifyBackup({ staging, ...source }: Source & { staging: string }) {
  const damagedFiles: string[] = []
  const copy = join(staging, 'check.db')
  await readBackup(
    source,
    (name) => (isDatabase(name) ? copy : undefined),
    async (name, path) => {
      const problem = await problemOf(name, path)
      if (problem && name === MAIN) throw new BackupFailed('failed', problem)
      if (problem) damagedFiles.push(name)
      for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true })
    },
  )
  return { damaged: damagedFiles }
}

/** What is wrong with a database; undefined if nothing is. Throws if the disk does not let it be read. */
export async function problemOf(name: string, path: string): Promise<string | undefined> {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path)
    const rows = database.prepare('pragma integrity_check(1)').all()
    if (rows.length !== 1 || rows[0]?.integrity_check !== 'ok')
      return t('{name} is damaged: {reason}.', { name, reason: String(rows[0]?.integrity_check) })
    if (name !== MAIN) return undefined
    const verdict = await verify(onSqlite(database))
    return verdict.whole
      ? undefined
      : t('The audit log in {name} is broken at entry {seq}: {why}.', {
          name,
          seq: verdict.seq,
          why: verdict.why,
        })
  } catch (e) {
    if (diskFailure(e)) throw e
    return t('{name} is damaged: {reason}.', { name, reason: errorMessage(e) })
  } finally {
    database?.close()
  }
}
