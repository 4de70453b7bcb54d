import { api } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { gatherEvents } from '../../server/src/alerts/events/gather.ts'
import { type TestApp, testApp } from '../../server/test/app.ts'
import { testTerminal } from './terminal.ts'

let t: TestApp
let url: string
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => t.close())

it('tails events: those there are, then those that come', async () => {
  const add = (name: string) => t.as('a1')(api.voipCarriers.create, { body: { name } as never })
  await t.as('a1')(api.events.list, { query: {} })
  await add('Albion')
  await gatherEvents(t.ctx)
  let passes = 0
  const env = { SWITCHROOM_URL: url, SWITCHROOM_API_KEY: t.bearer['a1-key']! }
  const pause = async () => {
    passes += 1
    if (passes > 1) return false
    await add('Northwind')
    await gatherEvents(t.ctx, Date.now() + 1_000)
    return true
  }
  const { out } = await testTerminal(env, { pause }).run(
    ...['events', 'tail', '--types', 'carrier.changed'],
  )
  const lines = out.trim().split('\n')
  expect(lines.map((line) => line.split('  ').slice(2).join(' '))).toEqual([
    'carrier.changed create Albion',
    'carrier.changed create Northwind',
  ])
})
