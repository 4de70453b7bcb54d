import { randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { t } from '@switchroom/contract'
import { errorCode } from '../errors/members.ts'
import { makeFolder } from '../stores/kit/durable.ts'
import { CannotStart, fileReason, naming } from './cannot-start.ts'

const BYTES = 32

/** A secret created on first start and kept in the data folder, readable only by its owner. */
export function keptSecret(folder: string, name: string): string {
  const file = join(folder, name)
  return read(file) ?? make(folder, file)
}

/** Undefined before the first start. Throws `CannotStart` if the file is damaged. */
export const existingSecret = (folder: string, name: string) => read(join(folder, name))

function read(file: string): string | undefined {
  let secret: string
  try {
    secret = readFileSync(file, 'utf8').trim()
  } catch (e) {
    if (errorCode(e) === 'ENOENT') return undefined
    throw e
  }
  // an empty key would let anyone sign tokens
  if (secret.length < BYTES)
    throw new CannotStart(
      naming(
        'SWITCHROOM_DATA',
        t(
          'The file {file} is damaged. Restore it from a backup, or set JWT_SECRET to its former value.',
          { file },
        ),
      ),
    )
  return secret
}

/** Writes the file atomically, and never over one that another process has just created. */
function make(folder: string, file: string): string {
  const draft = `${file}.${randomUUID()}`
  const secret = randomBytes(BYTES).toString('base64url')
  try {
    makeFolder(folder)
    writeFileSync(draft, secret, { mode: 0o600, flush: true })
    // a full disk may leave a part of it, or nothing
    if (readFileSync(draft, 'utf8') !== secret)
      throw Object.assign(new Error('not all was written'), { code: 'ENOSPC' })
    linkSync(draft, file)
    syncFolder(folder)
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST')
      throw new CannotStart(
        naming(
          'SWITCHROOM_DATA',
          t('The secret {file} cannot be written ({reason}).', { file, reason: fileReason(cause) }),
        ),
        { status: errorCode(cause) === 'ENOSPC' ? 1 : 2, cause },
      )
  } finally {
    rmSync(draft, { force: true })
  }
  return read(file)!
}

/** Otherwise a power cut may lose the file's name. */
function syncFolder(folder: string) {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
