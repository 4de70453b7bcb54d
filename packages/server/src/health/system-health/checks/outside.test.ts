import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { stripeStandIn } from '../../../../test/stand-ins/stripe.ts'
import { startBilling } from '../../../billing/start.ts'
import { readConfig } from '../../../config/config.ts'
import type { Context } from '../../../http/context.ts'
import { mailOf } from '../../../outbound/mail.ts'
import { openPayments } from '../../../outbound/stripe.ts'
import { type Health, health as newHealth } from '../../../parts/registry.ts'
import { watchCertificates } from './certificates.ts'

const HOST = '127.0.0.1'
const DAY_MS = 86_400_000

/** When certificates end, by the days that they are valid for. */
const ends = new Map<number, Date>()
const expiryIn = (days: number) => ends.get(days)!.toISOString().slice(0, 10)

/** A self-signed certificate that is valid for this many days. */
function certificate(days: number) {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
  try {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
      ].concat('-subj', '/CN=mail.example', '-days', String(days), '-keyout', key, '-out', cert),
      { stdio: 'ignore' },
    )
    const made = { key: readFileSync(key), cert: readFileSync(cert) }
    ends.set(days, new X509Certificate(made.cert).validToDate)
    return made
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const closing: (() => unknown)[] = []
let health: Health
beforeEach(() => {
  health = newHealth()
})
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

async function listen(server: {
  listen: (port: number, host: string, done: () => void) => unknown
  close: (done: () => void) => unknown
}) {
  await new Promise<void>((done) => server.listen(0, HOST, done))
  closing.push(() => new Promise<void>((done) => server.close(done)))
}
const portOf = (server: { address: () => AddressInfo | string | null }) =>
  (server.address() as AddressInfo).port

/** A mail server. Resolves to its port. */
async function startSmtp(options: SMTPServerOptions) {
  const server = new SMTPServer({ authOptional: true, logger: false, ...options })
  // clients that do not trust it break off
  server.on('error', () => undefined)
  await listen(server)
  return portOf(server.server)
}

/** A server that takes TLS connections. Resolves to its port. */
async function startTls(days: number) {
  const server = createTlsServer(certificate(days))
  server.on('tlsClientError', () => undefined)
  await listen(server)
  return portOf(server)
}

async function found(part: 'certificates' | 'mail' | 'stripe') {
  await health.check([part])
  const { state, sentence } = health.parts().find((p) => p.part === part) ?? {}
  return [state, sentence]
}

describe('certificates', () => {
  const watch = (environment: Record<string, string>) =>
    watchCertificates({ config: readConfig(environment), health } as Context)

  it.each([
    [300, 'ok', ', the earliest of 1'],
    [10, 'degraded', ''],
    [2, 'failing', ''],
  ] as const)('of a TLS server that expires in %d days: %s', async (days, state, more) => {
    watch({ JAEGER_BASE_URL: `https://${HOST}:${await startTls(days)}` })
    expect(await found('certificates')).toEqual([
      state,
      `Jaeger: the certificate expires on ${expiryIn(days)}${more}`,
    ])
    const figures = health.figures()
    expect(figures).toMatchObject([
      { figure: 'certificate_expiry_timestamp_seconds', label: 'Jaeger' },
    ])
    expect(figures[0]!.value * 1_000).toBe(ends.get(days)!.getTime())
  })

  it.each([
    [300, 'ok', ', the earliest of 1'],
    [10, 'degraded', ''],
  ] as const)(
    'of a mail server with STARTTLS that expires in %d days: %s',
    async (days, state, more) => {
      const port = await startSmtp(certificate(days))
      watch({ SMTP_URL: `smtp://${HOST}:${port}` })
      expect(await found('certificates')).toEqual([
        state,
        `SMTP: the certificate expires on ${expiryIn(days)}${more}`,
      ])
    },
  )

  it('names the first of several that expires', async () => {
    const smtp = await startSmtp({ ...certificate(5), secure: true })
    watch({
      JAEGER_BASE_URL: `https://${HOST}:${await startTls(300)}`,
      SMTP_URL: `smtps://${HOST}:${smtp}`,
    })
    expect(await found('certificates')).toEqual([
      'degraded',
      `SMTP: the certificate expires on ${expiryIn(5)}`,
    ])
  })

  it('has expired when the clock is past its end', async () => {
    watch({ JAEGER_BASE_URL: `https://${HOST}:${await startTls(1)}` })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY_MS })
    expect(await found('certificates')).toEqual([
      'failing',
      `Jaeger: the certificate expired on ${expiryIn(1)}`,
    ])
  })

  it('says nothing of servers that are away or speak no TLS to mail', async () => {
    const plain = await startSmtp({ disabledCommands: ['STARTTLS'] })
    watch({ JAEGER_BASE_URL: `https://${HOST}:1`, SMTP_URL: `smtp://${HOST}:${plain}` })
    expect(await found('certificates')).toEqual([undefined, undefined])
  })

  it('is worse off with a server that offers TLS and speaks none', async () => {
    const plain = await startSmtp({ disabledCommands: ['STARTTLS'] })
    watch({ JAEGER_BASE_URL: `https://${HOST}:${plain}` })
    expect(await found('certificates')).toEqual(['degraded', expect.stringMatching(/^Jaeger: \w/)])
  })
})

describe('the mail server', () => {
  const USER = { user: 'me', pass: 'canary-password' }
  const signsIn: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) =>
      username === USER.user && password === USER.pass
        ? done(null, { user: username })
        : done(new Error('no')),
  }
  const open = (url: string) =>
    mailOf(
      {
        smtp: { url, from: 'switchroom@example.org' },
        mail_service: undefined,
        development: false,
      },
      { info: () => undefined } as never,
      health,
    )!
  const message = { to: 'a@example.org', subject: 'Hello', text: 'Hello' }

  it('is well if it accepts the log-in, and failing if not', async () => {
    const port = await startSmtp(signsIn)
    open(`smtp://${USER.user}:${USER.pass}@${HOST}:${port}`)
    expect(await found('mail')).toEqual(['ok', 'The mail server answers and accepts the log-in'])
    health = newHealth()
    open(`smtp://${USER.user}:canary-wrong@${HOST}:${port}`)
    const [state, sentence] = await found('mail')
    expect([state, sentence]).toEqual(['failing', 'The credentials are not accepted'])
    health = newHealth()
    open(`smtp://${HOST}:1`)
    expect(await found('mail')).toEqual([
      'failing',
      'The connection is refused: nothing listens there',
    ])
  })

  it('is failing with a certificate that nobody signed', async () => {
    const port = await startSmtp(certificate(300))
    open(`smtp://${HOST}:${port}`)
    expect(await found('mail')).toEqual(['failing', 'The certificate is not trusted'])
  })

  it('is as the latest message was, unless only its recipient was refused', async () => {
    const says = { refuses: '' }
    const port = await startSmtp({
      disabledCommands: ['STARTTLS'],
      onMailFrom: (_, __, done) => done(says.refuses === 'all' ? new Error('quota') : null),
      onRcptTo: (_, __, done) => done(says.refuses === 'recipient' ? new Error('unknown') : null),
      onData(stream, _, done) {
        stream
          .resume()
          .once('end', () => done(says.refuses === 'text' ? new Error('out of space') : null))
      },
    })
    const send = open(`smtp://${HOST}:${port}`)
    const state = () => health.parts().map((p) => [p.state, p.sentence])
    await send(message)
    expect(state()).toEqual([['ok', 'The latest message was accepted']])
    says.refuses = 'recipient'
    await expect(send(message)).rejects.toThrow()
    expect(state()).toEqual([['ok', 'The latest message was accepted']])
    const gone = open(`smtp://${HOST}:1`)
    await expect(gone(message)).rejects.toThrow()
    expect(state()).toEqual([
      [
        'failing',
        'The latest message was not sent. The connection is refused: nothing listens there',
      ],
    ])
    says.refuses = ''
    await send(message)
    expect(state()).toEqual([['ok', 'The latest message was accepted']])
    expect(health.figures().map(({ label, value }) => [label, value])).toEqual([
      ['sent', 2],
      ['failed', 2],
    ])
  })
})

describe('Stripe', () => {
  it('answers, refuses the key, or breaks off', async () => {
    const stripe = await stripeStandIn()
    closing.push(stripe.close)
    const t = await testApp(stripe.environment)
    closing.push(t.close)
    const state = async (more: Record<string, string> = {}) => {
      health = newHealth()
      const { stripe: options } = readConfig({ ...stripe.environment, ...more })
      const billing = startBilling({ ...t.ctx, health, payments: openPayments(options) })
      await billing.stop()
      return found('stripe')
    }
    expect(await state()).toEqual(['ok', 'Stripe answers'])
    expect(await state({ STRIPE_API_KEY: 'sk_test_canarywrong' })).toEqual([
      'failing',
      'Stripe does not accept STRIPE_API_KEY',
    ])
    stripe.fault(({ path }) => (path === 'balance' ? 'before' : undefined))
    expect(await state()).toEqual(['failing', expect.stringMatching(/connection/i)])
    stripe.fault()
    expect(await state()).toEqual(['ok', 'Stripe answers'])
  })
})
