import { afterEach, beforeEach, expect, it } from 'vitest'
import { mailServiceStandIn } from '../../test/stand-ins/mail-service.ts'
import { readConfig } from '../config/config.ts'
import { type Health, health as newHealth } from '../parts/registry.ts'
import { mailOf } from './mail.ts'
import { mailProblem } from './mail-message.ts'

const KEY = 'canary-of-mailgun'
const DOMAIN = 'mg.example.org'
const message = {
  to: 'a@example.org',
  subject: 'Grüße',
  text: 'Hello',
  html: '<b>Hello</b>',
  id: 'first',
}

let service: Awaited<ReturnType<typeof mailServiceStandIn>>
let health: Health
beforeEach(async () => {
  service = await mailServiceStandIn({ key: KEY, domain: DOMAIN })
  health = newHealth()
})
afterEach(() => service.close())

const open = (environment: Record<string, string>) =>
  mailOf(readConfig(environment), { info: () => undefined } as never, health)!
const mailgun = (more: Record<string, string> = {}) =>
  open({ MAILGUN_API_KEY: KEY, MAILGUN_DOMAIN: DOMAIN, MAILGUN_URL: `${service.url}/`, ...more })
const state = () => health.parts().map((p) => [p.state, p.sentence])

it('sends a whole message through Mailgun', async () => {
  await mailgun()(message)
  const [{ body }] = service.posts as [(typeof service.posts)[number]]
  expect(body).toMatch(/name="to"\r\n\r\na@example\.org\r\n/)
  expect(body).toContain(`From: Switchroom <no-reply@${DOMAIN}>`)
  expect(body).toContain(`Message-ID: <first@${DOMAIN}>`)
  expect(body).toContain('Subject: =?UTF-8?')
  expect(body).toContain('<b>Hello</b>')
  expect(state()).toEqual([['ok', 'The latest message was accepted']])
})

it('posts to the operator’s own service, before Mailgun, and gives it no other key', async () => {
  const send = mailgun({
    CUSTOM_EMAIL_VENDOR_URL: `${service.url}/send?of=us`,
    CUSTOM_EMAIL_VENDOR_USERNAME: 'me',
    CUSTOM_EMAIL_VENDOR_PASSWORD: 'canary:own',
    SMTP_FROM: 'Ours <ours@example.org>',
  })
  await send(message)
  expect(service.posts).toEqual([
    {
      path: '/send?of=us',
      authorization: `Basic ${Buffer.from('me:canary:own').toString('base64')}`,
      type: 'application/json',
      body: JSON.stringify({
        from: 'Ours <ours@example.org>',
        to: message.to,
        subject: message.subject,
        text: message.text,
      }),
    },
  ])
  await open({ CUSTOM_EMAIL_VENDOR_URL: `${service.url}/open` })(message)
  expect(service.posts[1]!.authorization).toBe(undefined)
})

it('tells a refused key from a refused message, and never the key', async () => {
  const failure = (send: ReturnType<typeof open>) =>
    send(message).then(
      () => undefined,
      (e: Error) => e,
    )
  const refused = await failure(mailgun({ MAILGUN_API_KEY: 'canary-wrong' }))
  expect(mailProblem(refused)).toEqual({
    sentence: 'The mail service answered 401',
    lasting: false,
  })
  expect(state()).toEqual([
    ['failing', 'The latest message was not sent. The mail service answered 401'],
  ])
  expect(String(refused?.stack) + JSON.stringify(refused)).not.toContain('canary')
  service.state.answer = 400
  health = newHealth()
  expect(mailProblem(await failure(mailgun()))).toMatchObject({ lasting: true })
  expect(state()).toEqual([])
  // the password must not go wherever the service points
  service.state.answer = 307
  expect(await failure(mailgun())).toBeInstanceOf(Error)
  expect(service.posts).toEqual([])
})

it('takes SMTP_URL first, and refuses half a set of variables', () => {
  const both = readConfig({
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAILGUN_API_KEY: KEY,
    MAILGUN_DOMAIN: DOMAIN,
  })
  expect(both.smtp).toEqual({
    url: 'smtp://127.0.0.1:1',
    from: 'Switchroom <no-reply@localhost>',
  })
  expect(both.mail_service).toMatchObject({ url: 'https://api.mailgun.net' })
  for (const half of [
    { MAILGUN_API_KEY: KEY },
    { MAILGUN_DOMAIN: DOMAIN },
    { CUSTOM_EMAIL_VENDOR_USERNAME: 'me' },
    { CUSTOM_EMAIL_VENDOR_PASSWORD: 'canary' },
  ] as Record<string, string>[])
    expect(() => readConfig(half), JSON.stringify(half)).toThrow('is required when')
})
