import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clickHouse, reasonOf } from './client.ts'

/** A server over TLS that knows one user, and answers in ClickHouse's words. */
let folder: string
let ca: string
let server: Server
let url: string
const PASSWORD = 'canary pass:wőrd 密'

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-clickhouse-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=test']
  const named = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert]
  execFileSync('openssl', [...made, ...named], { stdio: 'ignore' })
  ca = readFileSync(cert, 'utf8')
  const known = `Basic ${Buffer.from(`switchroom:${PASSWORD}`).toString('base64')}`
  server = createServer({ key: readFileSync(key), cert: ca }, (request, response) => {
    request.resume()
    request.on('end', () => {
      if (request.headers.authorization === known) return response.end('{"one":1}\n')
      const why =
        'Code: 516. DB::Exception: switchroom: Authentication failed. (AUTHENTICATION_FAILED)'
      response.writeHead(403, { 'x-clickhouse-exception-code': '516' }).end(why)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `https://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The answer to a query, or the reason it failed. */
async function asked(more: { url?: string; password?: string; ca?: string | undefined }) {
  const user = 'switchroom'
  const db = clickHouse({
    url,
    user,
    password: PASSWORD,
    database: 'calls',
    cluster: undefined,
    ca,
    ...more,
  })
  try {
    return await db.rows('SELECT 1 AS one')
  } catch (e) {
    return reasonOf(e)
  } finally {
    await db.close()
  }
}

describe('a connection to ClickHouse over TLS', () => {
  it('trusts the certificate authority it is given, and names its user', async () =>
    expect(await asked({})).toEqual([{ one: 1 }]))

  it('is refused by a server that nobody vouches for', async () =>
    expect(await asked({ ca: undefined })).toMatch(
      /cannot be reached\. The certificate is not trusted/,
    ))

  it('needs no TLS because an authority is named', async () => {
    const plain = createHttpServer((request, response) => {
      request.resume()
      request.on('end', () => response.end('{"one":1}\n'))
    })
    await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done))
    const { port } = plain.address() as AddressInfo
    expect(await asked({ url: `http://127.0.0.1:${port}` })).toEqual([{ one: 1 }])
    plain.closeAllConnections()
    plain.close()
  })

  it('tells that the password is wrong, and not which', async () => {
    const why = await asked({ password: 'canary wrong' })
    expect(why).toMatch(/cannot be read\. .*Authentication failed/)
    expect(why).not.toContain('canary')
  })
})
