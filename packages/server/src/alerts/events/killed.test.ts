import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { databaseOfKilled, linesOfKilled } from '../../../test/killed.ts'
import { caseCount, report, reportedCases } from '../../../test/trust.ts'
import { openDb } from '../../db/open.ts'
import { gatherChanges } from './changes.ts'
import { noteReader, wishes } from './demand.ts'
import { BEGUN, watch } from './watch.ts'

const KILLED = 'changes that become events in a killed process'
const ADMIN = { role: 'admin', view_only: false, force_change: false } as const

const opened = databaseOfKilled('killed_events_test', (db) => noteReader(db, ADMIN, Date.now()))

const at = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))
/** Writers add and rename carriers, and report each committed change, while their process gathers events. */
const script = (round: number) => `
  import { writeSync } from 'node:fs'
  import { setImmediate } from 'node:timers/promises'
  import { audited, auditedAddition } from ${at('../../audit/audited.ts')}
  import { commandActor } from ${at('../../audit/command.ts')}
  import { insertOne } from ${at('../../db/insert-many.ts')}
  import { openDb } from ${at('../../db/open.ts')}
  import { gatherChanges } from ${at('./changes.ts')}
  import { wishes } from ${at('./demand.ts')}
  import { BEGUN, watch } from ${at('./watch.ts')}
  const db = openDb(${JSON.stringify(opened.config)})
  const actor = () => ({ ...commandActor('writer'), ctx: { db } })
  const table = 'voip_carriers'
  const key = 'voip_carrier_sid'
  async function write(writer) {
    for (let n = 0; ; n++) {
      const sid = [${round}, writer, n].join('-')
      const add = (tx) => insertOne(tx, table, key, { [key]: sid, name: sid })
      await auditedAddition(actor(), { kind: 'voip_carrier', sid }, add)
      writeSync(1, 'create ' + sid + '\\n')
      const read = (tx) => tx.selectFrom(table).selectAll().where(key, '=', sid).executeTakeFirst()
      await audited(actor(), { kind: 'voip_carrier', sid, read }, (tx) =>
        tx.updateTable(table).set({ name: 'renamed ' + sid }).where(key, '=', sid).execute())
      writeSync(1, 'update ' + sid + '\\n')
    }
  }
  for (let writer = 0; writer < 16; writer++) write(writer)
  for (let pass = 0; ; pass++) {
    // on SQLite the writers' turn
    await setImmediate()
    // each begins after the lease of an earlier process, which was killed, has ended
    const now = Date.now() + ${round} * 200_000 + pass
    const lease = await watch.take(db, now, now, BEGUN)
    if (lease) {
      await gatherChanges(db, lease, await wishes(db, Date.now()), now)
      await watch.end(db, lease, now, { late_slice: 0 })
      writeSync(1, 'pass\\n')
    }
  }`

it('leaves each change with one event, in the order of the changes', {
  timeout: 60_000 * caseCount(2, 50),
}, async () => {
  const kills = reportedCases(KILLED, 2, 50)
  let told = 0
  for (let round = 0; round < kills; round++) {
    const isPass = (line: string) => line === 'pass'
    const lines = await linesOfKilled(script(round), (all) => {
      const passes = all.filter(isPass).length
      return passes > 2 && all.length - passes > 100
    })
    const said = lines.filter((line) => !isPass(line))
    told += said.length

    const db = openDb(opened.config)
    const now = Date.now() + (round + 1) * 200_000
    const lease = await watch.take(db, now, now, BEGUN)
    await gatherChanges(db, lease!, await wishes(db, Date.now()), now)
    await watch.end(db, lease!, now, { late_slice: 0 })
    const events = await db.selectFrom('switchroom_events').selectAll().orderBy('seq').execute()
    expect(events.map(({ seq }) => Number(seq))).toEqual(events.map((_, i) => i + 1))
    const entries = await db
      .selectFrom('switchroom_audit')
      .select(['action', 'sid'])
      .where('kind', '=', 'voip_carrier')
      .orderBy('seq')
      .execute()
    const happened = events.map(({ data }): string => {
      const { action, sid } = JSON.parse(data)
      return `${action} ${sid}`
    })
    expect(happened).toEqual(entries.map(({ action, sid }) => `${action} ${sid}`))
    expect(said.filter((line) => !happened.includes(line))).toEqual([])
    await db.destroy()
  }
  report({ part: KILLED, tried: 0, found: { 'told and found': told } })
})
