import { type CsvFile, t } from '@switchroom/contract'
import type { FastifyRequest } from 'fastify'
import { Failure } from './failure.ts'

export const SEND_CSV = t('Send text/csv')

export const isCsv = (type: string | undefined) => /^text\/csv\b/i.test(type ?? '')

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i

/** The CSV file that is the body of a request. Throws 400 when there is none, or in an unknown encoding. */
export function csvIn({ body, headers }: FastifyRequest): CsvFile {
  if (!(body instanceof Uint8Array)) throw new Failure('invalid', SEND_CSV)
  const named = CHARSET.exec(headers['content-type'] ?? '')?.[1]
  return { bytes: body, ...(named !== undefined && { charset: encodingNamed(named) }) }
}

/** The encoding by its usual name: `latin1` is `windows-1252`, as for browsers. */
function encodingNamed(label: string): string {
  try {
    return new TextDecoder(label).encoding
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new Failure('invalid', t('The charset of the content type is unknown'), { cause })
  }
}
