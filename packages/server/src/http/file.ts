import multipart from '@fastify/multipart'
import { type CsvFile, t } from '@switchroom/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorNumber } from '../errors/members.ts'
import { Failure, invalidField } from './failure.ts'

/**
 * Accepts multipart forms on the routes of this Fastify instance only; all others keep refusing them. `max`
 * is in bytes.
 */
export const takingFiles = (app: FastifyInstance, max: number) =>
  app.register(multipart, {
    limits: { files: 1, fileSize: max, fields: 10, fieldSize: 1_000, headerPairs: 20 },
  })

export const isForm = (type: string | undefined) => /^multipart\/form-data\b/i.test(type ?? '')

const MISSING = t('Send one file in the form field "file"')

/** Reads the one file of a form, from its field `file`. Throws 400 if there is none, 413 if it is too large. */
export async function fileIn(request: FastifyRequest): Promise<Uint8Array> {
  try {
    const part = await request.file()
    if (part?.fieldname === 'file') return await part.toBuffer()
  } catch (cause) {
    // a body that is not multipart is only noticed while it is read
    if (errorNumber(cause, 'statusCode') === 413)
      throw new Failure('too_large', t('request entity too large'), { cause })
    throw new Failure('invalid', MISSING, {
      issues: [{ path: ['file'], message: MISSING }],
      cause,
    })
  }
  throw invalidField('file', MISSING)
}

export const SEND_CSV = t('Send text/csv')

export const isCsv = (type: string | undefined) => /^text\/csv\b/i.test(type ?? '')

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i

/** The CSV file in the body of a request. Throws 400 if there is none, or its encoding is unknown. */
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
