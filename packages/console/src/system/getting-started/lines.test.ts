import type { Door } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { setupOf } from './lines'

const here = { hostname: 'portal.example.com', host: 'portal.example.com', protocol: 'https:' }
const doors = (door: Door) => ({ calls: door, traces: door, sip: door, database: door })
const at = (host: string, port: number): Door => ({ kind: 'here', host, port })
const linesOf = (...args: Parameters<typeof setupOf>) =>
  setupOf(...args)?.pastes.map(({ lines }) => lines)

it('names this server as the browser reaches it, unless it listens on an address of its own', () => {
  expect(linesOf('calls', doors(at('0.0.0.0', 8086)), here)).toEqual([
    'JAMBONES_TIME_SERIES_HOST=portal.example.com',
  ])
  expect(linesOf('sip', doors(at('10.0.0.5', 9060)), here)).toEqual([
    '--homer 10.0.0.5:9060 --homer-id 10',
    '--homer=10.0.0.5:9060 --homer-protocol=udp --homer-id=11',
  ])
  expect(linesOf('traces', doors(at('::', 4318)), here)?.[0]).toContain(
    'OTEL_EXPORTER_COLLECTOR_URL=http://portal.example.com:4318/v1/traces',
  )
})

it('warns where components cannot arrive', () => {
  const warning = (door: Door, step: 'calls' | 'sip' = 'calls') =>
    setupOf(step, doors(door), here)?.warning
  expect(warning(at('127.0.0.1', 8086))).toContain('SWITCHROOM_INGEST_INFLUX=0.0.0.0:8086')
  expect(warning(at('0.0.0.0', 9999))).toContain('port 8086')
  expect(warning(at('0.0.0.0', 8086))).toBeUndefined()
  expect(warning(at('0.0.0.0', 9999), 'sip')).toBeUndefined()
})

it('says how this server is told to listen', () => {
  expect(linesOf('sip', doors({ kind: 'off' }), here)?.[0]).toBe(
    'SWITCHROOM_INGEST_HEP=0.0.0.0:9060',
  )
})

it('leaves another store to itself', () => {
  expect(setupOf('traces', doors({ kind: 'elsewhere' }), here)).toEqual({
    text: 'This server reads them from Jaeger. Components send them there.',
    pastes: [],
  })
})

it('has the address of recordings, encrypted where the page is', () => {
  expect(linesOf('recordings', doors({ kind: 'off' }), here)).toEqual([
    'JAMBONZ_RECORD_WS_BASE_URL=wss://portal.example.com',
  ])
  expect(setupOf('carrier', doors({ kind: 'off' }), here)).toBeUndefined()
})
