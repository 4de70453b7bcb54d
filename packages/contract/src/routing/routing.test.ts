import { describe, expect, it } from 'vitest'
import {
  type Inbound,
  isInGatewayRange,
  type MatchRegex,
  matchRegex,
  mayBeSlow,
  PatternTooSlow,
  type Route,
  type RoutingCarrier,
  type RoutingGateway,
  simulateInbound,
  simulateOutbound,
  waysToMatch,
} from '../index.ts'

const owner = { account_sid: 'a', service_provider_sid: 'sp' }
const gateway = (more: Partial<RoutingGateway> = {}): RoutingGateway => ({
  sip_gateway_sid: 'g',
  ipv4: '203.0.113.10',
  netmask: 32,
  port: 5060,
  inbound: 1,
  outbound: 1,
  is_active: 1,
  ...more,
})
const carrier = (sid: string, more: Partial<RoutingCarrier> = {}): RoutingCarrier => ({
  voip_carrier_sid: sid,
  name: sid,
  account_sid: 'a',
  service_provider_sid: 'sp',
  application_sid: null,
  is_active: 1,
  sip_gateways: [gateway({ sip_gateway_sid: `${sid}-gateway` })],
  ...more,
})
const route = (regex: string, priority: number, ...carriers: string[]): Route => ({
  regex,
  priority,
  description: null,
  lcr_carrier_set_entries: carriers.map((voip_carrier_sid, i) => ({
    voip_carrier_sid,
    priority: i,
    workload: 1,
  })),
})

it('is no more certain of an outcome than of the steps to it', () => {
  const outcomeOf = (change: Partial<RoutingCarrier>) =>
    simulateOutbound({
      number: '442079460958',
      owner,
      routes: [route('^44', 1, 'one')],
      carriers: [carrier('one', change)],
    }).steps.at(-1)?.result
  expect(outcomeOf({})).toBe('taken')
  expect(outcomeOf({ is_active: 0 })).toBe('warned')
  expect(outcomeOf({ sip_gateways: [gateway({ is_active: 0 })] })).toBe('warned')
})

describe('an outbound call', () => {
  const carriers = [carrier('one'), carrier('two')]
  const to = (number: string, routes: Route[] | undefined, matches: MatchRegex = matchRegex) =>
    simulateOutbound({ number, owner, routes, carriers }, matches)

  it.each([
    [
      'takes the first route by priority, not by place',
      [route('^44', 5, 'one'), route('^4', 1, 'two')],
      1,
    ],
    ['finds a pattern anywhere', [route('42', 1, 'one'), route('^44', 2, 'two')], 0],
    ['compares the text before the expression', [route('442(', 1, 'one')], 0],
    ['passes a route without a carrier', [route('^44', 1), route('^4', 2, 'two')], 1],
    ['gives up at what is no expression', [route('(', 1, 'one'), route('^44', 2, 'two')], null],
    ['never reads what is behind the match', [route('^44', 1, 'one'), route('(', 2, 'two')], 0],
    ['takes an empty pattern for all numbers', [route('', 1, 'one')], 0],
  ])('%s', (_, routes, expected) => {
    expect(to('442(0', routes).route).toBe(expected)
  })

  it('uses the first carrier of a route by priority, whatever its workload', () => {
    const both: Route = {
      ...route('^44', 1),
      lcr_carrier_set_entries: [
        { voip_carrier_sid: 'one', priority: 2, workload: 99 },
        { voip_carrier_sid: 'two', priority: 1, workload: 1 },
      ],
    }
    const { carriers, gateways, steps } = to('44', [both])
    expect(carriers).toEqual(['two'])
    expect(gateways).toEqual(['two-gateway'])
    expect(steps.map((s) => s.reason)).toContain(
      'Only the first carrier of a route is used. The other one is never tried, whatever the workload setting.',
    )
  })

  it('sends calls to inactive carriers and gateways, and says so', () => {
    const off = carrier('off', { is_active: 0, sip_gateways: [gateway({ is_active: 0 })] })
    const result = simulateOutbound({
      number: '44',
      owner,
      routes: [route('^44', 1, 'off')],
      carriers: [off, ...carriers],
    })
    expect(result.outcome).toBe('routed')
    expect(result.steps.filter((s) => s.result === 'warned')).toHaveLength(3)
  })

  it('fails where the carrier of a route has no outbound gateway', () => {
    const mute = carrier('mute', { sip_gateways: [gateway({ outbound: 0 })] })
    const routes = [route('^44', 1, 'mute'), route('.*', 9999, 'one')]
    const result = simulateOutbound({ number: '44', owner, routes, carriers: [mute, ...carriers] })
    expect(result.outcome).toBe('failed')
  })

  it('names the default', () => {
    expect(to('1', [route('.*', 9999, 'one')]).steps[0]!.reason).toBe(
      'Route “.*” (priority 9999), the default, matches.',
    )
  })

  it('leaves it to chance without a route: the account’s own carriers before shared ones', () => {
    const shared = carrier('shared', { account_sid: null })
    const off = carrier('off', { is_active: 0 })
    const mute = carrier('mute', { sip_gateways: [gateway({ is_active: 0 })] })
    const chance = (...all: RoutingCarrier[]) =>
      simulateOutbound({ number: '1', owner, routes: undefined, carriers: all })
    expect(chance(shared, off, mute, ...carriers).carriers).toEqual(['one', 'two'])
    expect(chance(shared, off, mute).carriers).toEqual(['shared'])
    expect(chance(off, mute)).toMatchObject({ outcome: 'failed', carriers: [] })
  })

  it('fails where the platform would hang', () => {
    const slow: MatchRegex = () => {
      throw new PatternTooSlow()
    }
    const result = to('1', [route('(1+)+$', 1, 'one')], slow)
    expect(result).toMatchObject({ outcome: 'failed', route: null })
  })
})

it.each([
  ['^(1+)+$', true],
  ['^(44|33)?', false],
  ['.*.*.*.*.*', true],
  ['.?.?.?.?.?.?.*.*.*.*x', true],
  [
    '^(a|b|c)(a|b|c)(a|b|c)(a|b|c)(a|b|c)(a|b|c)(a|b|c)(a|b|c)(a|b|c)(a|b|c)(a|b|c)(a|b|c)(a|b|c)(a|b|c)(a|b|c)$',
    true,
  ],
  ['\\d{0,64}\\d{1,}\\d{2,64}\\d*x', true],
  ['[*]{2}\\+\\?\\(\\)*', false],
  ['^(?:4477|4478|4479|3367|3368|4915|4916|4917|346|347|39[2-4])\\d+$', false],
  ['^1[2-9]\\d{2}\\d+$', false],
])('tells patterns that may be slow: %s', (pattern, slow) => {
  expect(mayBeSlow(pattern)).toBe(slow)
})

it.each([
  ['^44', 1],
  ['44', 64],
  ['^(44|33)?', 4],
  ['^44|33', 2 * 64],
  ['^1[2-9]\\d{2}\\d+$', 64],
  ['^\\d{10,12}$', 3],
  ['^(?:a?|b*)c+', (2 + 64) * 64],
  // a bracket ends a class, also as its first character
  ['^[^](1+)+]', Number.POSITIVE_INFINITY],
  ['(1+)+', Number.POSITIVE_INFINITY],
])('bounds the ways in which a pattern can be tried: %s', (pattern, ways) => {
  expect(waysToMatch(pattern)).toBe(ways)
})

it.each([
  ['203.0.113.10', 32, '203.0.113.10', true],
  ['203.0.113.10', 32, '203.0.113.11', false],
  ['203.0.113.10', 24, '203.0.113.200', true],
  ['203.0.113.10', 24, '203.0.114.10', false],
  ['128.0.0.0', 1, '255.255.255.255', true],
  ['128.0.0.0', 1, '127.0.0.1', false],
  ['sip.example.com', 24, '203.0.113.10', false],
])('%s/%i and %s', (ipv4, netmask, source, is) => {
  expect(isInGatewayRange(gateway({ ipv4, netmask }), source)).toBe(is)
})

describe('an inbound call', () => {
  const row = (number: string, more = {}) => ({
    number,
    voip_carrier_sid: 'one',
    account_sid: 'a',
    application_sid: `app-${number}`,
    ...more,
  })
  const from = (more: Partial<Inbound>) =>
    simulateInbound({
      source: '203.0.113.10',
      number: '+442079460958',
      account_sid: null,
      carriers: [carrier('one')],
      numbers: [],
      callRoutes: [],
      applications: {},
      ...more,
    })

  it.each([
    ['compares without the plus', [row('442079460958'), row('4420*')], 'app-442079460958'],
    ['tries the longest pattern first', [row('44*'), row('4420*')], 'app-4420*'],
    ['takes other patterns as expressions', [row('^44\\d{10}$')], 'app-^44\\d{10}$'],
    ['stops at what is no expression', [row('(((((44'), row('44*')], null],
    [
      'knows no number of another carrier',
      [row('442079460958', { voip_carrier_sid: 'two' })],
      null,
    ],
  ])('%s', (_, numbers, application) => {
    expect(from({ numbers }).application).toBe(application)
  })

  it('falls back to the carrier’s application, then to the account’s call routes', () => {
    const numbers = [row('442079460958', { application_sid: null })]
    const callRoutes = [
      { account_sid: 'a', regex: '^1', priority: 1, application_sid: 'us' },
      { account_sid: 'a', regex: '^44', priority: 2, application_sid: 'uk' },
    ]
    const carriers = [carrier('one', { application_sid: 'default' })]
    expect(from({ numbers, callRoutes, carriers }).application).toBe('default')
    expect(from({ numbers, callRoutes }).application).toBe('uk')
    expect(from({ carriers }).application).toBe('default')
    expect(from({ numbers })).toMatchObject({ outcome: 'failed', number: '442079460958' })
  })

  it('asks whether a carrier is active and has a provider, but not whether its gateway is', () => {
    expect(from({ carriers: [carrier('one', { is_active: 0 })] }).carrier).toBeNull()
    expect(from({ carriers: [carrier('one', { service_provider_sid: null })] }).carrier).toBeNull()
    const only = (more: Partial<RoutingGateway>) =>
      from({ carriers: [carrier('one', { sip_gateways: [gateway(more)] })] }).carrier
    expect(only({ is_active: 0 })).toBe('one')
    expect(only({ inbound: 0 })).toBeNull()
  })

  it('lets the number say which of several carriers it came from', () => {
    const carriers = [carrier('other'), carrier('one')]
    expect(from({ carriers, numbers: [row('44*')] }).carrier).toBe('one')
    expect(from({ carriers }).steps.some((s) => s.reason.includes('is assumed'))).toBe(true)
  })
})
