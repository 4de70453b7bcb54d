import type { VendorRequest, VendorResponse } from '../speech-server.ts'

/** The only key that stand-ins accept. */
export const KEY = 'key-of-a-stand-in-4711'

/** An MP3 frame. */
export const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)])

/** The transcript that stand-ins return for any recording. */
export const TRANSCRIPT = 'good morning'

/** The body as a JSON object; undefined for other bodies or another content type. */
export function jsonOf({ headers, body }: VendorRequest): Record<string, unknown> | undefined {
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

/** The fields and files of a multipart form; undefined for other bodies. */
export async function formOf({ headers, body }: VendorRequest): Promise<FormData | undefined> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return undefined
  return new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined)
}

/** True if a file is a WAV. */
export async function isWav(file: unknown): Promise<boolean> {
  if (!(file instanceof Blob)) return false
  const bytes = Buffer.from(await file.arrayBuffer())
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.length > 44
}

/** Routes by method and path, such as `GET /v1/models`; 404 for all else. */
export const routed = (
  request: VendorRequest,
  routes: Record<string, () => VendorResponse | Promise<VendorResponse>>,
  unknown: VendorResponse = { status: 404 },
) => routes[`${request.method} ${request.url.pathname}`]?.() ?? unknown
