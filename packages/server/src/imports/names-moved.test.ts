import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { testApp } from '../../test/app.ts'
import { importCsv } from './import.ts'

const t = await testApp()
afterAll(() => t.close())

it('keeps nothing when a name stands for something else once nobody else can write', async () => {
  let readings = 0
  let inserted = 0
  const lines = importCsv(
    {
      ctx: t.ctx,
      scope: { role: 'admin', view_only: false, force_change: false },
      meta: { ip: '127.0.0.1', request_id: 'r', version: undefined },
      body: { bytes: Buffer.from('name\none\n') },
      query: {},
    },
    {
      kind: 'phone_number',
      columns: ['name'],
      row: z.object({ name: z.string() }),
      resolve: async (_, rows) => {
        readings += 1
        const account_sid = readings === 1 ? t.sids.a1 : t.sids.b1
        return rows.map(() => ({ ready: { sid: `own ${readings}`, account_sid } }))
      },
      insert: async (_, rows) => {
        inserted += rows.length
      },
      added: (row) => ({ sid: row.sid, subject: row }),
    },
  )
  const answers = await Array.fromAsync(lines)
  expect(answers.at(-1)).toEqual({
    verdict: {
      rows: 1,
      added: 0,
      bad_rows: 1,
      problems: [{ line: 2, message: 'A name in this row now stands for something else' }],
    },
  })
  expect(inserted).toBe(0)
})
