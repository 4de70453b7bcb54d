import { expect, it } from 'vitest'
import { changeLines } from './change-lines'

const names: Record<string, string> = { c1: 'Thameslane', c2: 'Northwind', a1: 'Front desk' }
const lines = (before: object, after: object) =>
  changeLines(
    before as Record<string, unknown>,
    after as Record<string, unknown>,
    (sid) => names[sid],
  ).map(({ field, was, is }) => [field, was, is])

const route = (more: object) => ({
  lcr_route_sid: 'r1',
  lcr_sid: 'l1',
  regex: '^447',
  description: 'Mobiles in the UK',
  priority: 0,
  lcr_carrier_set_entries: [
    { lcr_carrier_set_entry_sid: 'e1', voip_carrier_sid: 'c1', workload: 1 },
  ],
  ...more,
})

it('tells a field of a route', () => {
  expect(
    lines({ routes: [route({})] }, { routes: [route({ description: 'UK mobiles' })] }),
  ).toEqual([['route ^447: description', 'Mobiles in the UK', 'UK mobiles']])
})

it('knows a route by its pattern where it has another sid', () => {
  const after = route({ lcr_route_sid: 'r9', priority: 3 })
  expect(lines({ routes: [route({})] }, { routes: [after] })).toEqual([
    ['route ^447: priority', 0, 3],
  ])
})

it('tells routes and carriers that come and go, by name', () => {
  const other = [{ voip_carrier_sid: 'c2', workload: 1 }]
  expect(
    lines(
      { routes: [route({})] },
      {
        routes: [
          route({ lcr_carrier_set_entries: other }),
          route({ lcr_route_sid: 'r2', regex: '^49', description: null }),
        ],
      },
    ),
  ).toEqual([
    ['route ^447: carrier Thameslane', 'Thameslane', undefined],
    ['route ^447: carrier Northwind', undefined, 'Northwind'],
    ['route ^49', undefined, 'Thameslane'],
  ])
})

it('tells gateways, hooks and what JSON has in it', () => {
  const gateway = { sip_gateway_sid: 'g1', ipv4: '192.0.2.1', port: 5060, inbound: 1 }
  expect(
    lines(
      {
        sip_gateways: [gateway],
        call_hook: { url: 'https://a.example', method: 'POST' },
        app_json: '[{"verb":"say","text":"Hi"}]',
        application_sid: null,
      },
      {
        sip_gateways: [{ ...gateway, inbound: 0 }],
        call_hook: { method: 'POST', url: 'https://b.example' },
        app_json: '[{"text":"Hello","verb":"say"}]',
        application_sid: 'a1',
      },
    ),
  ).toEqual([
    ['gateway 192.0.2.1: inbound', 1, 0],
    ['Calling webhook: url', 'https://a.example', 'https://b.example'],
    ['app json: 1: text', 'Hi', 'Hello'],
    ['application', null, 'a1'],
  ])
})

it('takes no other order of keys, and no other kind of nothing, for a change', () => {
  expect(lines({ a: { x: 1, y: 2 }, b: null }, { a: { y: 2, x: 1 }, b: '' })).toEqual([])
})
