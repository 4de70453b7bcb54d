import { randomUUID } from 'node:crypto'
import { type Flag, routeSimulations } from '@switchroom/contract'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { insertMany } from '../../db/insert-many.ts'
import { StateUnreachable } from '../../live/state.ts'

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

const { outbound, inbound } = routeSimulations

async function carrier(
  name: string,
  owner: { account_sid?: string; service_provider_sid: string },
  more: { ipv4?: string; netmask?: number; application_sid?: string } = {},
) {
  const voip_carrier_sid = randomUUID()
  const { ipv4 = '203.0.113.10', netmask = 32, application_sid = null } = more
  await insertMany(t.db, 'voip_carriers', [{ voip_carrier_sid, name, application_sid, ...owner }])
  await insertMany(t.db, 'sip_gateways', [
    {
      sip_gateway_sid: randomUUID(),
      voip_carrier_sid,
      ipv4,
      netmask,
      port: 5060,
      inbound: 1 satisfies Flag,
      outbound: 1 satisfies Flag,
    },
  ])
  return voip_carrier_sid
}

async function routes(
  owner: { account_sid?: string; service_provider_sid?: string },
  ...all: [regex: string, priority: number, carrier: string][]
) {
  const lcr_sid = randomUUID()
  await insertMany(t.db, 'lcr', [{ lcr_sid, name: 'routes', ...owner }])
  for (const [regex, priority, voip_carrier_sid] of all) {
    const lcr_route_sid = randomUUID()
    await insertMany(t.db, 'lcr_routes', [{ lcr_route_sid, lcr_sid, regex, priority }])
    await insertMany(t.db, 'lcr_carrier_set_entry', [
      { lcr_carrier_set_entry_sid: randomUUID(), lcr_route_sid, voip_carrier_sid },
    ])
  }
  return lcr_sid
}

const reasons = ({ steps }: { steps: { reason: string }[] }) =>
  steps.map((s) => s.reason).join('\n')

describe('an outbound call', () => {
  it('follows the routes of the account, for viewers too', async () => {
    const { a1: account_sid, sp1: service_provider_sid } = t.sids
    const uk = await carrier('UK', { account_sid, service_provider_sid })
    const lcr_sid = await routes({ account_sid }, ['^44', 1, uk], ['20', 2, uk])
    const answer = await t.as('a1-viewer')(outbound, { body: { account_sid, number: '4420' } })
    expect(answer).toMatchObject({ outcome: 'routed', lcr_sid })
    expect(reasons(answer)).toContain('UK: gateway 203.0.113.10:5060 is tried.')
    expect(answer.findings.map((f) => f.rule)).toEqual(['unanchored', 'plus', 'missing-default'])
  })

  it('uses a draft instead of the saved table', async () => {
    const { a1: account_sid, sp1: service_provider_sid } = t.sids
    const uk = await carrier('UK', { account_sid, service_provider_sid })
    await routes({ account_sid }, ['^44', 1, uk])
    const draft = (voip_carrier_sid: string) =>
      t.as('a1')(outbound, {
        body: {
          account_sid,
          number: '1',
          lcr: {
            routes: [{ regex: '^1', priority: 1, lcr_carrier_set_entries: [{ voip_carrier_sid }] }],
          },
        },
      })
    expect(await draft(uk)).toMatchObject({ outcome: 'routed', lcr_sid: null })
    const { b1, sp2 } = t.sids
    const foreign = await carrier('secret', { account_sid: b1, service_provider_sid: sp2 })
    // as one that does not exist
    const answer = await draft(foreign)
    expect(answer).toEqual(await draft(randomUUID()))
    expect(reasons(answer)).not.toContain('secret')
    expect(answer.findings.map((f) => f.rule)).toEqual([
      'foreign-carrier',
      'plus',
      'missing-default',
    ])
  })

  it('warns of a carrier of one account in a provider’s table', async () => {
    const { a1: account_sid, sp1: service_provider_sid } = t.sids
    const one = await carrier('Theirs', { account_sid, service_provider_sid })
    await routes({ service_provider_sid }, ['.*', 9999, one])
    const { findings } = await t.as('sp1')(outbound, {
      body: { service_provider_sid, number: '1' },
    })
    expect(findings).toMatchObject([
      {
        rule: 'foreign-carrier',
        message: 'Carrier Theirs belongs to one account, but gets the calls of all for “.*”.',
      },
    ])
  })

  it('shows an account the matching provider route, but not the others', async () => {
    const { a1: account_sid, sp1: service_provider_sid } = t.sids
    const shared = await carrier('Shared', { service_provider_sid })
    await routes({ service_provider_sid }, ['^33', 1, shared], ['^44', 2, shared])
    const simulate = (who: string) => t.as(who)(outbound, { body: { account_sid, number: '44' } })
    const own = await simulate('a1')
    expect(own).toMatchObject({ outcome: 'routed', lcr_sid: null, findings: [] })
    expect(reasons(own)).not.toContain('^33')
    const provider = await simulate('sp1')
    expect(reasons(provider)).toContain('^33')
    expect(provider.findings.map((f) => f.rule)).toEqual(['plus', 'missing-default'])
  })

  it('uses no carriers of other tenants, whoever asks', async () => {
    const { a1: account_sid, b1, sp2: service_provider_sid } = t.sids
    await carrier('theirs', { account_sid: b1, service_provider_sid })
    const answer = await t.as('admin')(outbound, { body: { account_sid, number: '1' } })
    expect(answer.outcome).toBe('failed')
    expect(reasons(answer)).not.toContain('theirs')
  })

  it('reports that one of two tables applies at random', async () => {
    const { a1: account_sid, sp1: service_provider_sid } = t.sids
    await routes({ account_sid })
    await routes({ service_provider_sid })
    const { steps } = await t.as('sp1')(outbound, { body: { account_sid, number: '44' } })
    expect(steps[0]).toMatchObject({ kind: 'set', result: 'warned' })
  })

  it('rejects a provider’s table for an account', async () => {
    const body = { service_provider_sid: t.sids.sp1, number: '44' }
    await carrier('Shared', { service_provider_sid: t.sids.sp1 })
    expect((await t.as('sp1')(outbound, { body })).outcome).toBe('random')
    for (const who of ['a1', 'sp2'])
      await expect(t.as(who)(outbound, { body })).rejects.toMatchObject({ status: 400 })
    await expect(t.as('sp1')(outbound, { body: { number: '44' } })).rejects.toMatchObject({
      status: 400,
    })
  })

  it('says that a pattern does not allow for a plus, and which one does', async () => {
    const { a1: account_sid, sp1: service_provider_sid } = t.sids
    const uk = await carrier('UK', { account_sid, service_provider_sid })
    await routes({ account_sid }, ['^447', 1, uk], ['^44|^33', 2, uk], ['.*', 9999, uk])
    const ask = (number: string) => t.as('a1')(outbound, { body: { account_sid, number } })
    const answer = await ask('+447700900123')
    expect(answer.steps.at(-1)).toMatchObject({ kind: 'outcome', result: 'warned' })
    expect(answer.steps.filter((s) => s.because === 'plus')).toHaveLength(2)
    expect(reasons(answer)).toContain(
      'Route “^447” (priority 1) does not match because of the + of the number. ^\\+?447 takes both.',
    )
    expect(reasons(answer)).toContain(
      'Route “^44|^33” (priority 2) does not match because of the + of the number.\n',
    )
    expect(reasons(await ask('+19'))).toContain('Route “^447” (priority 1) does not match.\n')
  })

  describe('of which the feature server knows more', () => {
    const named = async () => {
      const { a1: account_sid, a2, sp1: service_provider_sid, sp2 } = t.sids
      const own = await carrier('Trunk', { account_sid, service_provider_sid })
      const shared = await carrier('Shared', { service_provider_sid })
      await carrier('Trunk', { account_sid: a2, service_provider_sid })
      await carrier('Foreign', { service_provider_sid: sp2 })
      return { account_sid, service_provider_sid, own, shared }
    }
    const ask = (body: object, who = 'a1') =>
      t.as(who)(outbound, { body: { account_sid: t.sids.a1, number: '44', ...body } })

    it('takes the trunk that is named, whatever the table says', async () => {
      const { account_sid, shared } = await named()
      await routes({ account_sid }, ['.*', 9999, shared])
      const answer = await ask({ trunk: 'Trunk' })
      expect(answer).toMatchObject({ outcome: 'routed' })
      expect(answer.steps[0]).toEqual({
        kind: 'carrier',
        result: 'taken',
        reason: 'The application names trunk Trunk.',
        program: 'feature-server',
      })
      expect(answer.steps.at(-1)).toMatchObject({
        reason: 'The call goes out through Trunk.',
        program: 'outbound-sbc',
      })
      expect(reasons(await ask({ trunk: 'Shared' }))).toContain('goes out through Shared.')
      // another provider's, or nobody's
      for (const trunk of ['Foreign', 'Nobody']) {
        const without = reasons(await ask({ trunk }))
        expect(without).toContain(`There is no trunk ${trunk}, so none is named`)
        expect(without).toContain('The call goes out through Shared.')
      }
    })

    it('takes the carrier of the caller’s number where there is no table', async () => {
      const { account_sid, service_provider_sid, own, shared } = await named()
      const number = (number: string, more: object) => ({
        phone_number_sid: randomUUID(),
        number,
        service_provider_sid,
        account_sid: null,
        voip_carrier_sid: null,
        ...more,
      })
      await insertMany(t.db, 'phone_numbers', [
        number('1555', { account_sid, voip_carrier_sid: own }),
        number('1666', { voip_carrier_sid: shared }),
        number('1777', { account_sid }),
      ])
      expect(reasons(await ask({ from: '+1555' }))).toContain('goes out through Trunk.')
      expect(reasons(await ask({ from: '1666' }))).toContain('goes out through Shared.')
      for (const from of ['1777', '1888'])
        expect(reasons(await ask({ from }))).toContain(
          `The caller’s number ${from} names no carrier.`,
        )
      await routes({ account_sid }, ['.*', 9999, shared])
      const answer = reasons(await ask({ from: '1555' }))
      expect(answer).toContain('not looked up, because there is a routing table')
      expect(answer).toContain('goes out through Shared.')
    })

    it('takes the carrier that the call came in on, if no route matches', async () => {
      const { account_sid, own, shared } = await named()
      await routes({ account_sid }, ['^33', 1, own])
      const answer = await ask({ inbound_carrier_sid: shared })
      expect(reasons(answer)).toContain('The call came in on Shared, so it goes out there as well.')
      expect(answer.outcome).toBe('routed')
      expect(reasons(await ask({ inbound_carrier_sid: shared, number: '33' }))).toContain(
        'goes out through Trunk.',
      )
      await t.db
        .updateTable('sip_gateways')
        .set({ outbound: 0 })
        .where('voip_carrier_sid', '=', shared)
        .execute()
      expect(reasons(await ask({ inbound_carrier_sid: shared }))).toContain(
        'The call came in on Shared, which has no outbound gateway.',
      )
      const refused = { status: 400, message: 'No such carrier' }
      await expect(ask({ inbound_carrier_sid: own }, 'a2')).rejects.toMatchObject({ status: 400 })
      await expect(ask({ inbound_carrier_sid: randomUUID() })).rejects.toMatchObject(refused)
    })

    it('leaves out gateways that do not answer OPTIONS', async () => {
      const { account_sid, own } = await named()
      await routes({ account_sid }, ['.*', 9999, own])
      const gateways = await t.db
        .selectFrom('sip_gateways')
        .select('sip_gateway_sid')
        .where('voip_carrier_sid', '=', own)
        .execute()
      const avoided = new Set(gateways.map((g) => g.sip_gateway_sid))
      if (t.redis) {
        const redis = new Redis(t.redis)
        for (const sid of avoided) await redis.set(`blacklist-sip-gateway:${sid}`, '1', 'EX', 300)
        redis.disconnect()
      } else t.ctx.state.avoidedGateways = async (sids) => avoided.intersection(new Set(sids))
      const answer = await ask({})
      expect(answer.outcome).toBe('failed')
      expect(reasons(answer)).toContain(
        'is left out for minutes, because it did not answer OPTIONS.',
      )
      expect(reasons(answer)).toContain(
        'The call fails with 603: no gateway of carrier Trunk is left.',
      )
      t.ctx.state.avoidedGateways = async () => {
        throw new StateUnreachable('away')
      }
      const blind = await ask({})
      expect(blind.outcome).toBe('routed')
      expect(reasons(blind)).toContain('it is not known which gateways are left out')
    })
  })

  it('times out on a slow pattern', async () => {
    const { a1: account_sid } = t.sids
    const slow = { regex: '^(((1+)+)+)+x$', priority: 1 }
    const ask = (route: object) =>
      t.as('a1')(outbound, {
        body: { account_sid, number: '1'.repeat(60), lcr: { routes: [route as typeof slow] } },
      })
    // without a limit, it would take longer than a test may
    const answer = await ask(slow)
    expect(answer.outcome).toBe('failed')
    expect(reasons(await ask({ regex: '(1*)+(', priority: 1 }))).toContain(
      'not a valid regular expression',
    )
  })

  // without the limit, each of these takes minutes
  it.each([
    ['.?.?.?.?.?.?.?.?.*.*.*.*.*x', 1],
    ['.?.?.?.?.?.?.?.?.?.?.?.?.?.*.*x', 1],
    ['(1|11|.)(1|11|.)(1|11|.).*.*.*x', 1],
    ['\\d{0,64}\\d{0,64}\\d{0,64}.*x', 500],
    ['^1*1*1*.?.?.?.?.?.?x', 500],
  ])('is answered, whatever patterns a draft has: %s', async (regex, count) => {
    const { a1: account_sid } = t.sids
    const routes = Array.from({ length: count }, (_, priority) => ({ regex, priority }))
    const answer = await t.as('a1')(outbound, {
      body: { account_sid, number: '1'.repeat(64), lcr: { routes } },
    })
    expect(answer.outcome).toBe('failed')
  })
})

describe('an inbound call', () => {
  const application = async (account_sid: string, name: string) => {
    const application_sid = randomUUID()
    await insertMany(t.db, 'applications', [{ application_sid, account_sid, name }])
    return application_sid
  }

  it.each([
    ['203.0.113.10', 32],
    ['203.0.113.128', 25],
    ['203.0.113.0', 24],
    ['203.0.0.0', 16],
    ['203.0.97.1', 17],
    ['203.64.0.0', 8],
    ['192.0.0.0', 4],
  ])('matches a gateway by address: %s/%i', async (ipv4, netmask) => {
    const { a1: account_sid, sp1: service_provider_sid } = t.sids
    const application_sid = await application(account_sid, 'Front desk')
    await carrier('UK', { account_sid, service_provider_sid }, { ipv4, netmask, application_sid })
    const from = (source: string) =>
      t.as('a1')(inbound, { body: { source, number: '442079460958' } })
    const near = ipv4 === '203.0.113.128' ? '203.0.113.200' : '203.0.113.10'
    const answer = await from(near)
    expect(answer.outcome).toBe('answered')
    expect(reasons(answer)).toContain('Application Front desk answers the call.')
    expect((await from('10.1.2.3')).outcome).toBe('failed')
  })

  it('goes to the application of its number or matching pattern', async () => {
    const { a1: account_sid, sp1: service_provider_sid } = t.sids
    const voip_carrier_sid = await carrier('UK', { account_sid, service_provider_sid })
    const row = async (number: string) => ({
      phone_number_sid: randomUUID(),
      number,
      voip_carrier_sid,
      account_sid,
      application_sid: await application(account_sid, `for ${number}`),
    })
    await insertMany(t.db, 'phone_numbers', [
      await row('4420'),
      await row('442*'),
      await row('^44\\d{4}$'),
      await row('4433'),
    ])
    const to = async (number: string) =>
      reasons(await t.as('a1')(inbound, { body: { account_sid, source: '203.0.113.10', number } }))
    expect(await to('+4420')).toContain('Application for 4420 answers')
    expect(await to('44299')).toContain('Application for 442* answers')
    expect(await to('443300')).toContain('Application for ^44\\d{4}$ answers')
    expect(await to('33')).toContain('no application answers it')
  })

  it('may come from anywhere if it authenticates to a trunk of the account or its provider', async () => {
    const { a1: account_sid, a2, sp1: service_provider_sid, sp2 } = t.sids
    const trunk = async (name: string, owner: object, more: object = {}) => {
      const voip_carrier_sid = randomUUID()
      const application_sid = await application(account_sid, `For ${name}`)
      const row = { trunk_type: 'auth', inbound_auth_username: name, application_sid } as const
      await insertMany(t.db, 'voip_carriers', [
        { voip_carrier_sid, name, ...row, ...owner, ...more },
      ])
    }
    await trunk('own', { account_sid, service_provider_sid })
    await trunk('shared', { service_provider_sid })
    await trunk('idle', { account_sid, service_provider_sid }, { is_active: 0 })
    await trunk('by-address', { account_sid, service_provider_sid }, { trunk_type: 'static_ip' })
    await trunk('neighbour', { account_sid: a2, service_provider_sid })
    await trunk('foreign', { service_provider_sid: sp2 })
    const ask = (username?: string, more: object = { account_sid }) =>
      t.as('admin')(inbound, {
        body: { source: '198.51.100.1', number: '4420', ...more, ...(username && { username }) },
      })
    for (const name of ['own', 'shared']) {
      const answer = await ask(name)
      expect(answer.outcome, name).toBe('answered')
      expect(reasons(answer)).toContain(
        `The call authenticates as ${name}, so it comes from ${name}.`,
      )
      expect(reasons(answer)).toContain(`Application For ${name} answers the call.`)
    }
    for (const name of ['idle', 'by-address', 'neighbour', 'foreign', 'nobody'])
      expect(await ask(name), name).toMatchObject({ outcome: 'failed' })
    // only at the account's realm
    expect(await ask('own', {})).toMatchObject({ outcome: 'failed' })
    expect(reasons(await ask())).toContain(
      'own takes calls from any address that authenticate with its username.',
    )
    // a carrier's address is matched first
    await carrier('UK', { account_sid, service_provider_sid })
    const near = await ask('own', { account_sid, source: '203.0.113.10' })
    expect(reasons(near)).not.toContain('authenticates as')
  })

  it('shows no carriers of other owners', async () => {
    const { b1: account_sid, sp2: service_provider_sid } = t.sids
    await carrier('secret', { account_sid, service_provider_sid })
    const ask = (who: string) =>
      t.as(who)(inbound, { body: { source: '203.0.113.10', number: '1' } })
    for (const who of ['a1', 'sp1']) expect(reasons(await ask(who))).not.toContain('secret')
    expect(reasons(await ask('admin'))).toContain('secret')
  })

  it('comes from no carriers of other tenants, whoever asks', async () => {
    const { a1: account_sid, b1, sp2: service_provider_sid } = t.sids
    await carrier('theirs', { account_sid: b1, service_provider_sid })
    const body = { account_sid, source: '203.0.113.10', number: '1' }
    expect(reasons(await t.as('admin')(inbound, { body }))).not.toContain('theirs')
  })

  it('goes to no numbers of other accounts', async () => {
    const { a2: account_sid, sp1: service_provider_sid } = t.sids
    const voip_carrier_sid = await carrier('shared', { service_provider_sid })
    await insertMany(t.db, 'phone_numbers', [
      {
        phone_number_sid: randomUUID(),
        number: '4420',
        voip_carrier_sid,
        account_sid,
        application_sid: await application(account_sid, 'Theirs'),
      },
    ])
    const ask = (who: string) =>
      t.as(who)(inbound, { body: { source: '203.0.113.10', number: '4420' } })
    expect((await ask('a1')).outcome).toBe('failed')
    expect((await ask('sp1')).outcome).toBe('answered')
  })

  it('names no applications of other accounts', async () => {
    const { a2, sp1: service_provider_sid } = t.sids
    const application_sid = await application(a2, 'Secret launch')
    await carrier('shared', { service_provider_sid }, { application_sid })
    const ask = async (who: string) =>
      reasons(await t.as(who)(inbound, { body: { source: '203.0.113.10', number: '1' } }))
    expect(await ask('a1')).not.toContain('Secret launch')
    expect(await ask('sp1')).toContain('Secret launch')
  })
})
