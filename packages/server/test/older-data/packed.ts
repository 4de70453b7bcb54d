import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** A data folder as one compressed file: the names and sizes of its files in a line of JSON, and then their bytes. */
export function packed(folder: string): Buffer {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
  const files = names.map((name) => readFileSync(join(folder, name)))
  const header = JSON.stringify(names.map((name, i) => [name, files[i]!.length]))
  return brotliCompressSync(Buffer.concat([Buffer.from(`${header}\n`), ...files]), {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  })
}

export function unpack(compressed: Uint8Array, folder: string) {
  const all = brotliDecompressSync(compressed)
  const end = all.indexOf('\n')
  // `packed` wrote it
  const files: [name: string, bytes: number][] = JSON.parse(all.toString('utf8', 0, end))
  let at = end + 1
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), all.subarray(at, at + bytes))
    at += bytes
  }
}
