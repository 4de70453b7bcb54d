import { randomBytes } from 'node:crypto'

const NAME = /^switchroom-(\d{8}T\d{6})Z-([\da-f]{8})\.tar\.zst\.age$/
export const PARTIAL = /^\.switchroom-\d{8}T\d{6}Z-[\da-f]{8}\.tar\.zst\.age\.partial$/

/**
 * `switchroom-20260131T120000Z-9f86d081.tar.zst.age`. Sorts by time. The owner is the data folder of
 * scheduled backups; others have none, and are never deleted.
 */
export const newName = (at: Date, owner = randomBytes(4).toString('hex')) =>
  `switchroom-${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z-${owner}.tar.zst.age`

/** While it is written. Does not look like a backup. */
export const partialOf = (name: string) => `.${name}.partial`

export const ownerOf = (name: string) => NAME.exec(name)?.[2]

/** When a backup of this name was begun; undefined for other files. */
export function timeOf(name: string): Date | undefined {
  const [, t] = NAME.exec(name) ?? []
  if (!t) return undefined
  const at = new Date(t.replace(/^(....)(..)(..)T(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z'))
  return Number.isNaN(at.getTime()) ? undefined : at
}
