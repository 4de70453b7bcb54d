import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { type Bucket, MASK } from '@switchroom/contract'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { type Azurite, startAzurite, startGoogle } from '../../../test/stand-ins/buckets.ts'
import { startS3 } from '../../../test/stand-ins/s3.ts'
import { outbound } from '../../outbound/outbound.ts'
import { testBucket } from './bucket-test.ts'

const LOCAL = outbound(['127.0.0.0/8'])
const CANARY = 'canary-bucket-secret'
const reason = async (bucket: Bucket, options?: Parameters<typeof testBucket>[2]) => {
  const answer = await testBucket(LOCAL, bucket, options)
  return answer.status === 'failed' ? answer.reason : answer.status
}
const listen = (server: Pick<Server, 'listen' | 'address'>) =>
  new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  )

let s3: Awaited<ReturnType<typeof startS3>>
let azurite: Azurite
let google: Awaited<ReturnType<typeof startGoogle>>
let unused: string
beforeAll(async () => {
  s3 = await startS3('recordings')
  azurite = await startAzurite('recordings')
  google = await startGoogle('recordings')
  const gone = createServer()
  unused = await listen(gone)
  gone.close()
})
afterAll(async () => {
  await Promise.all([s3.stop(), azurite.stop(), google.stop()])
})

/** A store with endless responses. Counts the bytes that were read. */
async function endless(status: number) {
  const taken = { bytes: 0 }
  const some = Buffer.alloc(65_536, 'x')
  const server = createServer((_, reply) => {
    const more = () => {
      for (let go = !reply.destroyed; go; ) {
        go = reply.write(some)
        taken.bytes += some.length
      }
    }
    reply.writeHead(status, { 'content-type': 'application/xml' }).on('drain', more)
    reply.on('error', () => undefined)
    more()
  })
  return {
    url: await listen(server),
    taken,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
/** Enough bytes to fill the buffers on the way. */
const SOME = 20_000_000

describe('a bucket of an S3-compatible store', () => {
  const bucket = (more: object = {}) =>
    ({
      vendor: 's3_compatible',
      name: 'recordings',
      endpoint: s3.url,
      ...s3.key,
      ...more,
    }) as Bucket

  it('passes, and is left unchanged', async () => {
    expect(await reason(bucket())).toBe('ok')
    expect(await reason(bucket({ region: 'eu-west-1' }))).toBe('ok')
    expect(s3.objects()).toEqual([])
  })

  it.each([
    ['an unknown key', { access_key_id: CANARY }, 'The store does not accept this credential'],
    ['a wrong secret', { secret_access_key: CANARY }, 'The store does not accept this credential'],
    ['a bucket that is not there', { name: 'elsewhere' }, 'There is no such bucket'],
  ])('reports %s', async (_, more, expected) => {
    expect(await reason(bucket(more))).toBe(expected)
  })

  it.each([
    ['SignatureDoesNotMatch', 403, 'The store does not accept this credential'],
    ['AccessDenied', 403, 'This credential may not write to the bucket'],
    ['SlowDown', 503, 'The store answered with status 503'],
  ])('explains %s, without the store’s message', async (code, status, expected) => {
    const server = createServer((_, reply) =>
      reply
        .writeHead(status)
        .end(`<Error><Code>${code}</Code><Message>${CANARY}</Message></Error>`),
    )
    expect(await reason(bucket({ endpoint: await listen(server) }))).toBe(expected)
    server.close()
  })

  it('reports an unreachable store and one that does not answer', async () => {
    expect(await reason(bucket({ endpoint: unused }))).toBe(
      'The store cannot be reached (ECONNREFUSED)',
    )
    const silent = createTcp(() => {})
    const endpoint = await listen(silent as unknown as Server)
    expect(await reason(bucket({ endpoint }), { timeout_ms: 500 })).toBe(
      'The store did not answer in time',
    )
    silent.close()
  })

  it('follows no redirect, and reads no more than it wrote', async () => {
    const requestedUrls: string[] = []
    const server = createServer((request, reply) => {
      requestedUrls.push(request.url!)
      if (request.url!.startsWith('/moved'))
        return reply.writeHead(301, { location: `${s3.url}/recordings/x` }).end()
      if (request.method !== 'GET') return reply.end()
      const more = setInterval(() => reply.write('x'.repeat(900)), 5)
      reply.on('close', () => clearInterval(more))
    })
    const endpoint = await listen(server)
    expect(await reason(bucket({ endpoint, name: 'moved' }))).toBe(
      'The store is elsewhere: check the region or the endpoint',
    )
    expect(requestedUrls).toHaveLength(1)
    expect(await reason(bucket({ endpoint }), { timeout_ms: 3_000 })).toBe(
      'The data read back differs from the data written',
    )
    server.closeAllConnections()
    server.close()
  })

  it.each([200, 500])('has a response size limit when it answers %d', async (status) => {
    const store = await endless(status)
    const answer = await reason(bucket({ endpoint: store.url }), { timeout_ms: 15_000 })
    store.close()
    expect(answer).not.toBe('The store did not answer in time')
    expect(store.taken.bytes).toBeLessThan(SOME)
  })
})

describe('a container of Azure', () => {
  const container = (connection_string: string, name = 'recordings') =>
    ({ vendor: 'azure', name, connection_string }) as Bucket

  it('passes, and is left unchanged', async () => {
    expect(await reason(container(azurite.connection))).toBe('ok')
    expect(await azurite.blobs()).toEqual([])
  })

  it('is reached through no proxy of the environment, which would connect to anything', async () => {
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, unused)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await reason(container(azurite.connection))).toBe('ok')
  })

  it('reports what is wrong', async () => {
    const wrongKey = azurite.connection.replace(/AccountKey=[^;]+/, `AccountKey=${btoa(CANARY)}`)
    expect(await reason(container(wrongKey))).toBe('The store does not accept this credential')
    expect(await reason(container(azurite.connection, 'elsewhere'))).toBe('There is no such bucket')
    expect(await reason(container(CANARY))).toBe('The connection string cannot be read')
    const gone = azurite.connection.replace(azurite.url, unused)
    expect(await reason(container(gone))).toBe('The store cannot be reached (ECONNREFUSED)')
  })

  it.each([200, 500])('has a response size limit when it answers %d', async (status) => {
    const store = await endless(status)
    const connection = azurite.connection.replace(azurite.url, store.url)
    const answer = await reason(container(connection), { timeout_ms: 15_000 })
    store.close()
    expect(answer).not.toBe('The store did not answer in time')
    expect(store.taken.bytes).toBeLessThan(SOME)
  })

  it('ignores a proxy in the connection string, and follows no redirect', async () => {
    const requestedUrls: string[] = []
    const server = createServer((request, reply) => {
      requestedUrls.push(request.url!)
      reply.writeHead(302, { location: `${azurite.url}/recordings` }).end()
    })
    const url = await listen(server)
    const proxied = `UseDevelopmentStorage=true;DevelopmentStorageProxyUri=${url}`
    expect(await reason(container(proxied))).toMatch('The store cannot be reached')
    expect(requestedUrls).toEqual([])
    expect(await reason(container(azurite.connection.replace(azurite.url, url)))).toBe(
      'The store is elsewhere: check the region or the endpoint',
    )
    expect(requestedUrls).toHaveLength(1)
    server.close()
  })
})

describe('a bucket of Google', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const bucket = (more: object = {}, name = 'recordings') =>
    ({
      vendor: 'google',
      name,
      service_key: JSON.stringify({
        client_email: google.email,
        private_key: google.key,
        // none of these is ever asked
        token_uri: unused,
        universe_domain: '127.0.0.1',
        ...more,
      }),
    }) as Bucket
  const at = () => ({ hosts: google.hosts })

  it('passes, and is left unchanged', async () => {
    expect(await reason(bucket(), at())).toBe('ok')
    expect(google.objects()).toEqual([])
  })

  it('reports what is wrong', async () => {
    expect(await reason(bucket({ private_key: pem }), at())).toBe(
      'The store does not accept this credential',
    )
    expect(await reason(bucket({ private_key: CANARY }), at())).toBe(
      'The private key in the service key cannot be read',
    )
    expect(await reason(bucket({}, 'elsewhere'), at())).toBe('There is no such bucket')
    expect(await reason(bucket({}, 'read-only'), at())).toBe(
      'This credential may not write to the bucket',
    )
    const hosts = { token: unused, storage: unused }
    expect(await reason(bucket(), { hosts })).toBe('The store cannot be reached (ECONNREFUSED)')
  })
})

describe('over the API', () => {
  let t: TestApp
  beforeEach(async () => {
    t = await testApp()
  })
  afterEach(() => t.close())

  const ask = async (who: string, body: object, sid = t.sids.a1) =>
    (await t.request(who, 'POST', `/Accounts/${sid}/BucketCredentialTest`, body)).json()
  const put = (who: string, bucket_credential: unknown, sid = t.sids.a1) =>
    t.request(who, 'PUT', `/Accounts/${sid}`, { bucket_credential })
  const read = async () =>
    (await t.request('a1', 'GET', `/Accounts/${t.sids.a1}`)).json().bucket_credential
  const stored = async () => {
    const row = await t.db
      .selectFrom('accounts')
      .select('bucket_credential')
      .where('account_sid', '=', t.sids.a1)
      .executeTakeFirstOrThrow()
    return row.bucket_credential && JSON.parse(t.ctx.box.open(row.bucket_credential)!)
  }
  const compatible = () => ({
    vendor: 's3_compatible',
    name: 'recordings',
    endpoint: s3.url,
    access_key_id: s3.key.access_key_id,
    secret_access_key: CANARY,
    tags: [{ Key: 'team', Value: 'east' }],
  })
  const aws = {
    vendor: 'aws_s3',
    name: 'recordings',
    region: 'eu-west-1',
    access_key_id: 'AKIA',
    secret_access_key: CANARY,
  }
  const role = {
    vendor: 'aws_s3',
    name: 'recordings',
    region: 'eu-west-1',
    role_arn: 'arn:aws:iam::123456789012:role/recorder',
    external_id: 'acme',
  }

  it.each([
    ['127.0.0.1', () => compatible()],
    [
      'an Azure endpoint',
      () => ({ vendor: 'azure', name: 'r', connection_string: azurite.connection }),
    ],
    [
      'the development store',
      () => ({ vendor: 'azure', name: 'r', connection_string: 'UseDevelopmentStorage=true' }),
    ],
    ['localhost', () => ({ ...compatible(), endpoint: s3.url.replace('127.0.0.1', 'localhost') })],
    ['the metadata address', () => ({ ...compatible(), endpoint: 'http://169.254.169.254' })],
  ])('connects to no internal network: %s', async (_, bucket) => {
    expect(await ask('a1', bucket())).toEqual({
      status: 'not tested',
      reason:
        'The address is in an internal network, which this server may only reach if SWITCHROOM_ALLOW_NETWORKS names it',
    })
  })

  it('is stored encrypted, in the recorder’s format, and read with a mask', async () => {
    expect((await put('a1', { ...compatible(), region: '' })).statusCode).toBe(204)
    expect(await stored()).toEqual(compatible())
    expect(await read()).toEqual({ ...compatible(), secret_access_key: MASK })
    await put('a1', { ...(await read()), name: 'archive' })
    expect(await stored()).toEqual({ ...compatible(), name: 'archive' })
    await put('a1', { vendor: 'none' })
    expect(await stored()).toBeNull()
    await put('a1', compatible())
    await put('a1', null)
    expect(await read()).toBeNull()
  })

  it('is stored with a new account too', async () => {
    const body = { name: 'acme', bucket_credential: aws }
    const { sid } = (await t.request('sp1', 'POST', '/Accounts', body)).json()
    const view = await t.request('sp1', 'GET', `/Accounts/${sid}`)
    expect(view.json().bucket_credential).toEqual({ ...aws, secret_access_key: MASK })
  })

  it('keeps a secret only for the same vendor, and reports a missing one', async () => {
    const issue = (answer: { json: () => { issues: object[] } }) => answer.json().issues
    const none = {
      path: ['bucket_credential', 'secret_access_key'],
      message: 'No secret is stored. Enter it',
    }
    expect(issue(await put('a1', { ...aws, secret_access_key: MASK }))).toEqual([none])
    await put('a1', compatible())
    expect(issue(await put('a1', { ...aws, secret_access_key: MASK }))).toEqual([none])
    expect(await ask('a1', { ...aws, secret_access_key: MASK })).toEqual({
      status: 'failed',
      reason: none.message,
    })
  })

  it.each([
    [
      { vendor: 'aws_s3' },
      [
        'invalid aws bucket name: name is required',
        'invalid aws bucket region: region is required',
      ],
    ],
    [
      { vendor: 'aws_s3', name: 'b', region: 'eu-west-1' },
      [
        'invalid aws S3 bucket credential: access_key_id is required',
        'invalid aws S3 bucket credential: secret_access_key is required',
      ],
    ],
    [
      { ...aws, endpoint: undefined, vendor: 's3_compatible' },
      ['invalid endpoint uri: endpoint is required'],
    ],
    [{ ...aws, endpoint: 'ftp://x', vendor: 's3_compatible' }, ['Enter an http or https URL']],
    [{ vendor: 'aws_s3', name: 'b', region: 'eu-west-1', role_arn: '' }, ['Required']],
    [
      { vendor: 'aws_s3', name: 'b', region: 'eu-west-1', role_arn: 'arn:aws:iam::1:user/x' },
      ['Enter the ARN of a role'],
    ],
    [{ ...aws, region: 'eu-west-1.example.com/' }, ['Enter a valid region']],
    [{ ...aws, name: 'a/../b' }, ['Use only letters, digits, dots, dashes and underscores']],
    [
      { vendor: 'google', name: 'b' },
      ['invalid google cloud storage credential: service_key is required'],
    ],
    [
      { vendor: 'google', name: 'b', service_key: '{' },
      ['Invalid service key file, could not parse as JSON.'],
    ],
    [
      { vendor: 'google', name: 'b', service_key: '{"private_key":"x"}' },
      ['Invalid service key file, could not parse as JSON.'],
    ],
    [
      { vendor: 'azure' },
      [
        'invalid azure container name: name is required',
        'invalid azure cloud storage credential: connection_string is required',
      ],
    ],
    [{ vendor: 'ftp' }, ['unknown storage vendor: ftp']],
  ])('is rejected with its fields: %o', async (bucket, messages) => {
    const answer = await put('a1', bucket)
    expect(answer.statusCode).toBe(400)
    const { issues } = answer.json() as { issues: { path: string[]; message: string }[] }
    expect(issues.map((i) => i.message)).toEqual(messages)
    expect(issues.every((i) => i.path[0] === 'bucket_credential')).toBe(true)
    expect((await ask('a1', bucket)).reason).toBe(messages[0])
  })

  it('lets only administrators use the server’s own identity', async () => {
    const message = 'Only administrators can let the server use its own identity'
    const own = { vendor: 'aws_s3', name: 'r', region: 'eu-west-1', instance_profile: true }
    for (const who of ['a1', 'sp1']) {
      for (const bucket of [role, own]) {
        expect((await put(who, bucket)).json()).toMatchObject({
          issues: [{ path: ['bucket_credential', expect.any(String)], message }],
        })
        expect(await ask(who, bucket)).toEqual({ status: 'failed', reason: message })
      }
    }
    await put('admin', role)
    // sent back unchanged, it is no change
    expect((await put('a1', { ...(await read()), tags: [] })).statusCode).toBe(204)
    expect((await put('a1', { ...role, name: 'elsewhere' })).statusCode).toBe(400)
    expect(await stored()).toMatchObject(role)
  })

  it('cannot be tested by other accounts or view-only users', async () => {
    for (const sid of [t.sids.b1, crypto.randomUUID()])
      expect(await ask('sp1', compatible(), sid)).toMatchObject({ msg: 'insufficient permissions' })
    expect(await ask('a1-viewer', compatible())).toMatchObject({ msg: 'User has view-only access' })
    await put('a1', compatible())
    expect((await t.request('a1-viewer', 'GET', `/Accounts/${t.sids.a1}`)).body).not.toContain(
      CANARY,
    )
  })

  it('is refused when the platform could not store it', async () => {
    const service_key = JSON.stringify({
      client_email: 'x@example.com',
      private_key: CANARY,
      more: 'x'.repeat(3_700),
    })
    const google = { vendor: 'google', name: 'r', service_key }
    const tags = Array.from({ length: 10 }, (_, i) => ({ Key: `${i}`, Value: 'x'.repeat(200) }))
    await put('a1', google)
    const before = await stored()
    const answer = await put('a1', { ...google, tags })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().issues).toEqual([
      { path: ['bucket_credential', 'name'], message: 'The credential is too long' },
    ])
    expect(await stored()).toEqual(before)
  })

  it('does not reveal its secrets in any error', async () => {
    const answers: string[] = []
    const key = JSON.stringify({ client_email: 'x@example.com', private_key: CANARY })
    for (const bucket of [
      compatible(),
      { vendor: 'azure', name: 'r', connection_string: `AccountKey=${CANARY}` },
      { vendor: 'google', name: 'r', service_key: key },
      { vendor: 'google', name: 'r', service_key: CANARY },
      { ...role, secret_access_key: CANARY },
    ]) {
      answers.push(JSON.stringify(await ask('admin', bucket)))
      answers.push((await put('admin', bucket)).body)
      answers.push((await t.request('admin', 'GET', '/Accounts')).body)
      answers.push((await t.request('admin', 'GET', `/Accounts/${t.sids.a1}`)).body)
    }
    expect(answers.join('\n')).not.toContain(CANARY)
    expect(t.lines.join('\n')).not.toContain(CANARY)
  })
})
