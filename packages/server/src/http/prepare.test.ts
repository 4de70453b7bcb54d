import { api, rowsOf } from '@switchroom/contract'
import { expect, it, vi } from 'vitest'
import { testApp } from '../../test/app.ts'

it('compiles what the first requests of the first screens are read and shown with', async () => {
  const { ofServiceProvider: list, view } = api.voipCarriers
  const schemas = [list.params, list.query, rowsOf(list.response).item, view.params, view.response]
  const compiled = schemas.map((schema) => vi.spyOn(schema, 'safeParse'))
  const t = await testApp({}, undefined, undefined, { ownApp: true })
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  for (const one of compiled) await expect.poll(() => one.mock.calls.length).toBeGreaterThan(0)
  await t.close()
})
