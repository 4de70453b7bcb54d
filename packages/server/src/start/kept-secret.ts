import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CannotStart } from '../config/cannot-start.ts'
import { errorCode } from '../errors/members.ts'

const BYTES = 32

/** A secret created on first start and kept in the data folder, readable only by its owner. */
export function keptSecret(folder: string, name: string): string {
  const file = join(folder, name)
  return read(file) ?? make(folder, file)
}

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
      `SWITCHROOM_DATA: the file ${file} is damaged. Restore it from a backup, or set JWT_SECRET to its former value.`,
    )
  return secret
}

/** Writes the file atomically, and never over one that another process has just created. */
function make(folder: string, file: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  writeFileSync(draft, randomBytes(BYTES).toString('base64url'), { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (e) {
    if (errorCode(e) !== 'EEXIST') throw e
  } finally {
    rmSync(draft)
  }
  return read(file)!
}
