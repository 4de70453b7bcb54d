import multipart from '@fastify/multipart'
import { type CsvFile, t } from '@switchroom/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorNumber } from '../errors/members.ts'
import { Failure, invalidField } from './failure.ts'

/**
 * Accepts multipart forms on the routes of this Fastify instance only; all others keep refusing
 * them. `max` is in bytes.
 */
export const acceptUploads = (app: FastifyInstance, max: number) =>
  app.register(multipart, {
    limits: { files: 1, fileSize: max, fields: 10, fieldSize: 1_000, headerPairs: 20 },
  })

export const isForm = (type: string | undefined) => /^multipart\/form-data\b/i.test(type ?? '')

const MISSING = t('Send one file in the form field "file"')

/**
 * Reads a form's one file, from its field `file`. Throws 400 without one, 413 if it is too large.
 */
export async function uploadedFile(request: FastifyRequest): Promise<Uint8Array> {
  try {
    const part = await request.file()
    if (part?.fieldname === 'file') return await part.toBuffer()
  } catch (cause) {
    const status = errorNumber(cause, 'statusCode')
    if (status === 413) throw new Failure('too_large', t('request entity too large'), { cause })
    // the parser's own errors have no status: a malformed form, or a connection that broke off
    if (status !== undefined && status >= 500) throw cause
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

/**
 * The CSV file in the body of a request. Throws 400 if there is none, or its encoding is unknown.
 */
export function csvBody({ body, headers }: FastifyRequest): CsvFile {
  if (!(body instanceof Uint8Array)) throw new Failure('invalid', SEND_CSV)
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]
  return { bytes: body, ...(charset !== undefined && { charset: encodingNamed(charset) }) }
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
