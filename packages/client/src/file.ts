/** Progress of a file's transfer. */
export type Loaded = { loaded: number /** Undefined if the server does not say. */; total?: number }

/** A file that the server sends. Read it once: as a stream, a blob, text, or bytes. */
export class RemoteFile {
  /** Name sent by the server; undefined if it sends none. */
  name: string | undefined
  type: string
  /** Size in bytes; undefined if the file is made while it is sent. */
  size: number | undefined
  stream: ReadableStream<Uint8Array<ArrayBuffer>>
  constructor(response: Response, onProgress?: (loaded: Loaded) => void) {
    const { headers } = response
    this.name = nameIn(headers.get('content-disposition') ?? '')
    this.type = headers.get('content-type') ?? 'application/octet-stream'
    const length = headers.get('content-length')
    // of a compressed answer the length is another one
    this.size = length && !headers.get('content-encoding') ? Number(length) : undefined
    const body = response.body ?? new Blob([]).stream()
    this.stream = onProgress ? body.pipeThrough(counting(this.size, onProgress)) : body
  }
  blob = () => new Response(this.stream, { headers: { 'content-type': this.type } }).blob()
  text = () => new Response(this.stream).text()
  bytes = async () => new Uint8Array(await new Response(this.stream).arrayBuffer())
}

function counting(total: number | undefined, onProgress: (loaded: Loaded) => void) {
  let loaded = 0
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      loaded += chunk.byteLength
      onProgress({ loaded, ...(total !== undefined && { total }) })
      controller.enqueue(chunk)
    },
  })
}

function nameIn(disposition: string) {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  return encoded
    ? decodeURIComponent(encoded)
    : /filename="?([^";]+)"?/i.exec(disposition)?.[1]?.trim()
}
