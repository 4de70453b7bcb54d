import { api } from '@switchroom/contract'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { recordStatements } from '../../../test/statements.ts'
import type { Db } from '../../db/open.ts'

/** MariaDB renews the list of transactions only if nobody has read it for a tenth of a second. */
const RENEWED = { interval: 200 }

/** How many connections of this database wait for a lock. */
async function lockWaits(db: Db) {
  const { rows } = await sql`select trx_id from information_schema.innodb_trx
    join information_schema.processlist on id = trx_mysql_thread_id
    where db = database() and trx_state = 'LOCK WAIT'`.execute(db)
  return rows.length
}

const hook = { url: 'https://a.example/', method: 'POST' as const }

// SQLite allows no other writer in the meantime
it.runIf(process.env.TEST_DATABASE === 'mysql')(
  'keeps what others change in the same numbers meanwhile',
  async () => {
    const recorded = recordStatements()
    const t = await testApp({}, undefined, recorded.tracing)
    const { sid: application_sid } = await t.as('a1')(api.applications.create, {
      body: { name: 'Front desk', call_hook: hook, call_status_hook: hook },
    })
    const { sid } = await t.as('a1')(api.phoneNumbers.create, { body: { number: '15551230001' } })
    const params = { phone_number_sid: sid }
    const stored = () => t.as('a1')(api.phoneNumbers.view, { params })
    const many = (body: object) =>
      t.as('a1')(api.phoneNumbers.updateMany, {
        body: { select: { phone_number_sids: [sid] }, ...body },
      })
    const one = (body: object) => t.as('a1')(api.phoneNumbers.update, { params, body })

    const meet = async (first: () => Promise<unknown>, second: () => Promise<unknown>) => {
      let meanwhile: Promise<unknown> | undefined
      recorded.after = async (sql) => {
        // the number was read, and is changed next
        if (!/^select .* from `phone_numbers` .*(left join|for update)/.test(sql)) return
        recorded.after = undefined
        meanwhile = second()
        // unless it waits for the first
        await Promise.race([meanwhile, expect.poll(() => lockWaits(t.db), RENEWED).toBe(1)])
      }
      await first()
      expect(meanwhile).toBeDefined()
      await meanwhile
    }

    await meet(
      () => many({ description: 'of many' }),
      () => one({ application_sid }),
    )
    expect(await stored()).toMatchObject({ description: 'of many', application_sid })
    await one({ application_sid: null, description: null })
    await meet(
      () => one({ description: 'of one' }),
      () => many({ application_sid }),
    )
    expect(await stored()).toMatchObject({ description: 'of one', application_sid })
    await t.close()
  },
)
