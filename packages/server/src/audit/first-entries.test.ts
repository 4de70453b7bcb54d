import { api } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'
import { verify } from './verify.ts'

it('starts the audit log with many concurrent entries', async () => {
  const t = await testApp()
  // connections are there, so that the writers are at once
  const lists = Array.from({ length: 20 }, () => t.as('admin')(api.users.list, { query: {} }))
  await Promise.all(lists)
  const added = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      t.as('admin')(api.serviceProviders.create, { body: { name: `begun ${i}` } }),
    ),
  )
  expect(added.filter((a) => a.status === 'rejected')).toEqual([])
  expect(await verify(t.db)).toMatchObject({ whole: true, entries: 20 })
  await t.close()
})
