import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { api, type Endpoint, urlOf } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleOf, snippetsOf } from './examples.ts'

/** Every example in the reference passes its endpoint's schemas and is sent unchanged. */

const all = Object.entries(api).flatMap(([group, members]) =>
  Object.entries(members as Record<string, Endpoint>).map(([name, e]) => ({
    title: `${group}.${name}`,
    ...{ group, name, e },
  })),
)

describe.each(all)('the example of $title', ({ e }) => {
  it('is a request that it takes', () => {
    const { sent, upload } = exampleOf(e)
    for (const part of ['params', 'query', 'body'] as const) {
      if (!e[part] || (part === 'body' && upload)) continue
      const { error } = e[part].safeParse(sent[part] ?? {})
      expect(error?.issues, JSON.stringify(sent)).toBeUndefined()
    }
  })
})

describe('as a command for a shell', () => {
  const received: string[] = []
  const bodies: (string | undefined)[] = []
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-examples-'))
  const record = async (request: IncomingMessage) => {
    const body = (await buffer(request)).toString()
    const { authorization, 'content-type': type = '' } = request.headers
    received.push(`${request.method} ${request.url} ${authorization}`)
    bodies.push(type.startsWith('multipart/') ? 'a form' : body || undefined)
  }
  const server = createServer((request, response) => {
    void record(request).then(() => response.writeHead(204).end())
  })
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    for (const file of ['rows.csv', 'file.bin']) writeFileSync(join(folder, file), 'some bytes')
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('sends what it shows', async () => {
    const { port } = server.address() as AddressInfo
    const texts = all.map(({ group, name, e }) =>
      snippetsOf(group, name, e).curl.replace(
        'https://console.example.com',
        `http://127.0.0.1:${port}`,
      ),
    )
    const names = texts.flatMap((text) => [...text.matchAll(/\$([A-Z_\d]+)/g)].map(([, n]) => n!))
    const secrets = Object.fromEntries(names.map((name) => [name, `value of ${name}`]))
    const env = { PATH: process.env.PATH, ...secrets, SWITCHROOM_API_KEY: 'key-1' }
    const script = texts
      .map((text) => text.replace(/^curl /gm, 'curl --silent --show-error '))
      .join('\n')
    writeFileSync(join(folder, 'all.sh'), `set -e\n${script}\n`)
    await promisify(execFile)('sh', ['all.sh'], { cwd: folder, env })
    const expected = all.map(({ e }) => {
      const { sent } = exampleOf(e)
      return `${e.method} /api/v1${urlOf(e, sent)} Bearer key-1`
    })
    expect(received).toEqual(expected)
    for (const [i, { e, title }] of all.entries()) {
      const { sent, upload } = exampleOf(e)
      if (upload) expect(bodies[i], title).toBe(upload.as === 'form' ? 'a form' : 'some bytes')
      if (!upload && sent.body !== undefined)
        expect(Object.keys(JSON.parse(bodies[i]!)), title).toEqual(Object.keys(sent.body as object))
    }
  })
})
