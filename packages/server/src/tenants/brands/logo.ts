import { createHash } from 'node:crypto'
import { LOGO_TOO_LARGE, type Logo, MAX_LOGO_BYTES } from '@switchroom/contract'
import { invalidField } from '../../http/failure.ts'
import { pngProblem } from './png.ts'
import { svgProblem } from './svg.ts'

/** The text of bytes that are UTF-8; others a browser might read in an encoding that was not checked. */
function utf8(bytes: Buffer) {
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : ''
}

/** The digest of a logo's bytes. Throws 400 for data that is no picture, or could do more than be shown. */
export function checkedLogo(field: 'logo_light' | 'logo_dark', { type, data }: Logo): string {
  const bytes = Buffer.from(data, 'base64')
  const problem =
    bytes.length > MAX_LOGO_BYTES
      ? LOGO_TOO_LARGE
      : type === 'image/png'
        ? pngProblem(bytes)
        : svgProblem(utf8(bytes))
  if (problem !== undefined) throw invalidField(field, problem)
  return createHash('sha256').update(bytes).digest('hex')
}
