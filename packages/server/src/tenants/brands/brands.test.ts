import { api, brandStyles, HOST_TAKEN, LOGO_TOO_LARGE, type Logo } from '@switchroom/contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const at = (service_provider_sid: string) => ({ params: { service_provider_sid } })
const view = (who: string, sp = t.sids.sp1) => t.as(who)(api.brands.view, at(sp))
const change = (who: string, body: object, sp = t.sids.sp1) =>
  t.as(who)(api.brands.update, { ...at(sp), body })
const own = async (who: string) => (await t.as(who)(api.brands.own, {})).brand
const svg = (content = '<path d="M0 0h9v9z"/>'): Logo => ({
  type: 'image/svg+xml',
  data: btoa(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`),
})
const page = async (host: string) => {
  const { body } = await t.app.inject({ url: '/config.js', headers: { host } })
  return JSON.parse(body.slice(body.indexOf('{'))).brand
}
const EMPTY = { name: null, color: null, logo_light: null, logo_dark: null, hosts: [] }

it('is set by its provider, and seen by its people and no one else', async () => {
  expect(await view('sp1')).toMatchObject(EMPTY)
  expect(await own('a1')).toBeNull()
  await change('sp1', { name: ' Acme Voice ', color: '#1A4FD6', logo_light: svg() })
  const { logo_light } = await view('sp1')
  expect(await view('admin')).toMatchObject({ name: 'Acme Voice', color: '#1a4fd6', logo_light })
  const shown = { name: 'Acme Voice', styles: brandStyles('#1a4fd6'), logo_light, logo_dark: null }
  for (const who of ['sp1', 'sp1-viewer', 'a1', 'a1-viewer', 'a2'])
    expect(await own(who), who).toEqual(shown)
  for (const who of ['admin', 'sp2', 'b1']) expect(await own(who), who).toBeNull()
})

it('is out of reach for other providers, for accounts, and read-only for viewers', async () => {
  await change('sp1', { name: 'Acme' })
  await expect(view('sp2')).rejects.toMatchObject({ status: 404 })
  await expect(change('sp2', { name: 'x' })).rejects.toMatchObject({ status: 404 })
  for (const who of ['a1', 'b1']) {
    await expect(view(who)).rejects.toMatchObject({ status: 403 })
    await expect(change(who, { name: 'x' })).rejects.toMatchObject({ status: 403 })
  }
  await expect(change('sp1-viewer', { name: 'x' })).rejects.toMatchObject({ status: 403 })
  await expect(view('admin', crypto.randomUUID())).rejects.toMatchObject({ status: 404 })
  expect(await view('sp1-viewer')).toMatchObject({ name: 'Acme' })
  await change('admin', { name: 'By the administrator' })
  expect(await view('sp1')).toMatchObject({ name: 'By the administrator' })
})

it('keeps what is omitted, and goes back to the product’s own', async () => {
  await change('sp1', { name: 'Acme', color: '#1a4fd6', logo_light: svg(), logo_dark: svg('<g/>') })
  const { logo_light, logo_dark } = await view('sp1')
  await change('sp1', { color: '#ff0000' })
  expect(await view('sp1')).toMatchObject({ name: 'Acme', color: '#ff0000', logo_light, logo_dark })
  await change('sp1', { logo_light: logo_dark, logo_dark: logo_light })
  expect(await view('sp1')).toMatchObject({ logo_light: logo_dark, logo_dark: logo_light })
  await change('sp1', { name: '', color: null, logo_light: null, logo_dark: null })
  expect(await view('sp1')).toMatchObject(EMPTY)
})

it('is in the audit log with the digests of logos, and refuses older versions', async () => {
  const { version } = await view('sp1')
  await change('sp1', { name: 'Acme', logo_light: svg() })
  const { logo_light } = await view('sp1')
  const [entry] = (await t.as('admin')(api.audit.list, { query: { page: 1, kind: 'brand' } })).data
  expect(entry).toMatchObject({
    action: 'update',
    service_provider_sid: t.sids.sp1,
    after: { name: 'Acme', logo_light },
  })
  await expect(
    t.as('sp1')(api.brands.update, { ...at(t.sids.sp1), body: { name: 'x' }, version }),
  ).rejects.toMatchObject({ status: 409 })
})

describe('its logos', () => {
  const logo = (digest: string) => t.app.inject(`/api/v1/BrandLogos/${digest}`)

  it('are pictures and nothing else, under an address that no one can guess', async () => {
    await change('sp1', { logo_dark: svg() })
    const { logo_dark } = await view('sp1')
    const { statusCode, headers, body } = await logo(logo_dark!)
    expect(statusCode).toBe(200)
    expect(body).toBe(atob(svg().data))
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none';style-src 'unsafe-inline';sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect((await logo('0'.repeat(64))).statusCode).toBe(404)
    expect((await logo('%25')).statusCode).toBe(400)
    await change('sp1', { logo_dark: null })
    expect((await logo(logo_dark!)).statusCode).toBe(404)
  })

  it('of others cannot be taken by their digest', async () => {
    await change('sp1', { logo_light: svg() })
    const { logo_light } = await view('sp1')
    await expect(change('sp2', { logo_light }, t.sids.sp2)).rejects.toMatchObject({
      status: 400,
      body: { issues: [{ path: ['logo_light'] }] },
    })
  })

  it.each([
    ['a script', svg('<script>alert(1)</script>')],
    ['a PNG that is an SVG', { ...svg(), type: 'image/png' as const }],
    ['another type', { ...svg(), type: 'image/gif' }],
    ['no base64', { type: 'image/svg+xml', data: '<svg/>' }],
    [
      'another encoding',
      { type: 'image/svg+xml', data: Buffer.from([0xff, 0xfe, 60]).toString('base64') },
    ],
  ])('are refused with %s', async (_, logo_light) => {
    await expect(change('sp1', { logo_light })).rejects.toMatchObject({
      status: 400,
      body: { issues: [{ path: expect.arrayContaining(['logo_light']) }] },
    })
    expect(await view('sp1')).toMatchObject(EMPTY)
  })

  it('have at most 64 kB each', async () => {
    const ofLength = (bytes: number) => {
      const rest = bytes - atob(svg('').data).length
      return svg(`<!--${'x'.repeat(rest - 7)}-->`)
    }
    await change('sp1', { logo_light: ofLength(65_536), logo_dark: ofLength(65_535) })
    await expect(change('sp1', { logo_light: ofLength(65_537) })).rejects.toMatchObject({
      status: 400,
      body: { issues: [{ message: LOGO_TOO_LARGE }] },
    })
  })
})

it.each([
  ['color', 'blue'],
  ['color', '#fff'],
  ['color', '#1a4fd6;}body{display:none'],
  ['name', 'x'.repeat(65)],
  ['hosts', ['localhost']],
  ['hosts', ['192.0.2.1']],
  ['hosts', ['console.example.com:8080']],
  ['hosts', ['https://console.example.com']],
  ['hosts', ['-a.example.com']],
  ['hosts', Array.from({ length: 21 }, (_, i) => `h${i}.example.com`)],
])('refuses a %s of %j', async (field, value) => {
  await expect(change('admin', { [field]: value })).rejects.toMatchObject({
    status: 400,
    body: { issues: [{ path: expect.arrayContaining([field]) }] },
  })
})

describe('under a host name', () => {
  const hosts = ['console.acme.example', 'voice.acme.example']

  it('is what strangers see there, and nowhere else', async () => {
    await change('sp1', { name: 'Acme', color: '#1a4fd6' })
    await change('admin', { hosts: ['Voice.Acme.example', 'console.acme.example'] })
    expect(await view('sp1')).toMatchObject({ hosts })
    for (const host of ['console.acme.example', 'CONSOLE.acme.example:3000'])
      expect(await page(host), host).toEqual({
        name: 'Acme',
        styles: brandStyles('#1a4fd6'),
        logo_light: null,
        logo_dark: null,
      })
    for (const host of ['acme.example', 'localhost', "x' or 1=1"])
      expect(await page(host), host).toBeUndefined()
  })

  it('is chosen by administrators alone', async () => {
    const refused = { status: 403, body: { issues: [{ path: ['hosts'] }] } }
    await expect(change('sp1', { hosts })).rejects.toMatchObject(refused)
    await change('admin', { hosts })
    // they may send back the hosts that they read
    await change('sp1', { name: 'Acme', hosts })
    await expect(change('sp1', { hosts: [] })).rejects.toMatchObject(refused)
    expect(await view('sp1')).toMatchObject({ name: 'Acme', hosts })
  })

  it('belongs to one provider', async () => {
    await change('admin', { hosts })
    await expect(change('admin', { hosts: [hosts[1]] }, t.sids.sp2)).rejects.toMatchObject({
      status: 422,
      body: { issues: [{ path: ['hosts'], message: HOST_TAKEN }] },
    })
    await change('admin', { hosts: [hosts[0]] })
    await change('admin', { hosts: [hosts[1]] }, t.sids.sp2)
    const both = await Promise.allSettled([
      change('admin', { hosts: ['new.example.com'] }),
      change('admin', { hosts: ['new.example.com'] }, t.sids.sp2),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('goes with its provider', async () => {
    await change('admin', { name: 'Acme', hosts })
    for (const removed of t.ctx.onProviderRemoved) await removed(t.db, t.sids.sp1)
    expect(await page(hosts[0]!)).toBeUndefined()
    expect(await view('admin')).toMatchObject(EMPTY)
  })

  it('leaves the page its own look when it cannot be read', async () => {
    // other tests use this database afterwards
    await sql`alter table switchroom_brand_hosts rename to switchroom_elsewhere`.execute(t.db)
    expect(await page(hosts[0]!)).toBeUndefined()
    await sql`alter table switchroom_elsewhere rename to switchroom_brand_hosts`.execute(t.db)
  })
})
