import { crc32 } from 'node:zlib'
import { t } from '@switchroom/contract'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MIN_SIDE = 16
/** A browser that decodes it needs four bytes for each pixel. */
const MAX_SIDE = 2_048

/** Why a file is no PNG that is served as a logo; undefined if it is one. */
export function pngProblem(bytes: Buffer): string | undefined {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return t('This is not a PNG file')
  const damaged = t('The PNG file is damaged')
  let at = SIGNATURE.length
  for (let first = true; ; first = false) {
    if (at + 12 > bytes.length) return damaged
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return damaged
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return damaged
    if (first) {
      if (type !== 'IHDR' || end - at !== 25) return damaged
      const sides = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)]
      if (sides.some((side) => side < MIN_SIDE || side > MAX_SIDE))
        return t('A PNG logo has sides of {MIN_SIDE} to {MAX_SIDE} pixels; this one has {sides}', {
          MIN_SIDE,
          MAX_SIDE,
          sides: sides.join(' × '),
        })
    }
    at = end
    // nothing may follow, such as another kind of file
    if (type === 'IEND') return at === bytes.length ? undefined : damaged
  }
}
