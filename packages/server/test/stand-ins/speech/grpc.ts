import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type Outbound, outbound } from '../../../src/outbound/outbound.ts'

/** The error status of a stand-in. */
export class No extends Error {
  readonly code: status
  constructor(code: keyof typeof status, details: string) {
    super(details)
    this.code = status[code]
  }
}

type Call = { request: never; token: unknown; host: string }
/** The methods by service, as named in the proto file. A method may throw `No`. */
export type Services = Record<
  string,
  { proto: string; methods: Record<string, (request: never, call: Call) => object> }
>

const servers: Server[] = []
const shutDown = () => {
  for (const server of servers.splice(0)) server.forceShutdown()
}

/** Starts a server with these services until the test ends. Resolves to its port. */
export async function grpcStandIn(services: Services, tls?: { key: Buffer; cert: Buffer }) {
  const server = new Server()
  for (const [service, { proto, methods }] of Object.entries(services)) {
    const file = fileURLToPath(
      new URL(`../../../src/speech/protos/${proto}.proto`, import.meta.url),
    )
    const definition = loadSync(file, {
      keepCase: true,
      defaults: true,
      longs: Number,
      enums: String,
    })
    const handled = Object.entries(methods).map(([name, answer]) => {
      const handle: handleUnaryCall<never, object> = (call, done) => {
        try {
          const [token] = call.metadata.get('authorization')
          done(null, answer(call.request, { request: call.request, token, host: call.getHost() }))
        } catch (e) {
          if (!(e instanceof No)) throw e
          done({ code: e.code, details: e.message, metadata: new Metadata() })
        }
      }
      return [name, handle]
    })
    server.addService(definition[service] as ServiceDefinition, Object.fromEntries(handled))
  }
  servers.push(server)
  onTestFinished(shutDown)
  const credentials = tls
    ? ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.cert }])
    : ServerCredentials.createInsecure()
  return new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, port) =>
      error ? reject(error) : resolve(port),
    ),
  )
}

/** A key and a self-signed certificate for a host name. */
export function certificateFor(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  try {
    const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
        .concat('-days', '1')
        .concat('-keyout', key, '-out', cert, '-subj', `/CN=${name}`)
        .concat('-addext', `subjectAltName=DNS:${name}`),
      { stdio: 'ignore' },
    )
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Outbound access that reaches this machine. */
export const localOutbound = (): Outbound => outbound(['127.0.0.0/8'])

/**
 * Tests that every call to a gRPC vendor reports its fault. `services` are the vendor's
 * own; `at` returns the calls for an address.
 */
export function grpcFaults(
  services: Services,
  at: (port: number | string) => Record<string, (out: Outbound) => Promise<unknown>>,
) {
  const all = (answer: () => object): Services =>
    Object.fromEntries(
      Object.entries(services).map(([name, { proto, methods }]) => [
        name,
        { proto, methods: Object.fromEntries(Object.keys(methods).map((m) => [m, answer])) },
      ]),
    )
  const throwing = (e: Error) =>
    all(() => {
      throw e
    })
  const names = Object.keys(at(0))

  it.each(
    names.flatMap((name): [string, string, Services, RegExp][] => [
      [
        name,
        'busy',
        throwing(new No('RESOURCE_EXHAUSTED', 'slow down')),
        /^quota or concurrency limit exceeded.*: slow down$/,
      ],
      [name, 'closed', throwing(new No('UNAUTHENTICATED', 'no')), /^invalid api key: no$/],
      [
        name,
        'broken',
        throwing(new No('INTERNAL', 'oops')),
        /^the vendor answered INTERNAL: oops$/,
      ],
      [name, 'for something else', {}, /^this server does not offer the service/],
    ]),
  )('%s: a vendor that is %s', async (name, _, broken, message) => {
    const port = await grpcStandIn(broken)
    await expect(at(port)[name]!(localOutbound())).rejects.toMatchObject({
      name: 'Refused',
      message: expect.stringMatching(message),
    })
  })

  it.each(names)('%s: a vendor that does not answer in time', async (name) => {
    const port = await grpcStandIn(
      all(() => {
        vi.advanceTimersByTime(31_000)
        return {}
      }),
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await expect(at(port)[name]!(localOutbound())).rejects.toMatchObject({
      name: 'Refused',
      message: expect.stringMatching(/^no answer within \d+ seconds$/),
    })
  })

  it.each(names)('%s: a vendor that cannot or may not be reached', async (name) => {
    const port = await grpcStandIn(services)
    shutDown()
    await expect(at(port)[name]!(localOutbound())).rejects.toMatchObject({
      name: 'Refused',
      message: 'the vendor cannot be reached',
    })
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '10.0.0.1'])
      await expect(at(`${host}:${port}`)[name]!(outbound([]))).rejects.toMatchObject({
        name: 'Refused',
        message:
          'The address is in an internal network, which this server may only reach if SWITCHROOM_ALLOW_NETWORKS names it',
      })
    await expect(at('no address')[name]!(localOutbound())).rejects.toMatchObject({
      name: 'Refused',
      message: 'the address is invalid',
    })
  })
}
