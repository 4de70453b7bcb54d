import { createHash } from 'node:crypto'
import { z } from 'zod'

/** Grows when older versions could not restore what is written. */
export const FORMAT = 1

/** The first and the last file of an archive; between them are files of the data folder, below `data/`. */
export const HEADER = 'switchroom-backup.json'
export const SUMS = 'SHA256SUMS'
export const DATA = 'data/'
export const MAIN = 'data/switchroom.db'

export const Header = z.object({
  format: z.int().positive(),
  version: z.string(),
  created_at: z.iso.datetime(),
  /** Where the provisioning data was: only the embedded database is in the archive. */
  database: z.enum(['embedded', 'mysql']),
  recordings: z.boolean(),
  /** Variables with secrets that were set: the restored server needs the same values. */
  secrets: z.array(z.string().regex(/^\w+$/)),
})
export type Header = z.infer<typeof Header>

/** Collects the lines of `SHA256SUMS`, without keeping them. */
export class Sums {
  #hash = createHash('sha256')
  files = 0

  /** Returns the line, in the format of sha256sum. */
  add(name: string, sha256: string) {
    const line = `${sha256}  ${name}\n`
    this.#hash.update(line)
    this.files++
    return line
  }

  /** The hash of all lines. Ends the collecting. */
  digest = () => this.#hash.digest('hex')
}

/** Strict, because a name decides where a restore writes: no `..`, no absolute path, nothing unusual. */
const FILE = /^data(?:\/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}){1,6}$/

export const isSafe = (name: string) => FILE.test(name) && name.length <= 250
