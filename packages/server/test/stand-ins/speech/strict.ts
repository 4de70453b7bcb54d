import type { Answered, Asked } from '../speech-server.ts'

/** The key that every stand-in takes; it refuses all others. */
export const KEY = 'key-of-a-stand-in-4711'

/** A frame of MP3. */
export const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)])

/** What stand-ins that listen make of any recording. */
export const HEARD = 'good morning'

/** The body as a JSON object; undefined for anything else, and where it is not said to be JSON. */
export function jsonOf({ headers, body }: Asked): Record<string, unknown> | undefined {
  if (!headers['content-type']?.startsWith('application/json')) return undefined
  try {
    const json = JSON.parse(String(body)) as unknown
    return typeof json === 'object' && json && !Array.isArray(json)
      ? (json as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** The fields and files of a form; undefined for anything else. */
export async function formOf({ headers, body }: Asked): Promise<FormData | undefined> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return undefined
  return new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined)
}

/** A file that is a WAV. */
export async function isWav(file: unknown): Promise<boolean> {
  if (!(file instanceof Blob)) return false
  const bytes = Buffer.from(await file.arrayBuffer())
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.length > 44
}

/** Answers by method and path, such as `GET /v1/models`; all else is 404. */
export const routed = (
  asked: Asked,
  routes: Record<string, () => Answered | Promise<Answered>>,
  unknown: Answered = { status: 404 },
) => routes[`${asked.method} ${asked.url.pathname}`]?.() ?? unknown
