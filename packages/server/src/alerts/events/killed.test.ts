import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chosen, emptyMysql, mysqlAt } from '../../../test/database.ts'
import { caseCount, report, reportedCases } from '../../../test/trust.ts'
import { type DatabaseConfig, openDb } from '../../db/open.ts'
import { prepareDatabase } from '../../db/prepare.ts'
import { gatherChanges } from './changes.ts'
import { noteReader, wishes } from './demand.ts'
import { BEGUN, watch } from './watch.ts'

const KILLED = 'changes that become events in a killed process'
const ADMIN = { role: 'admin', view_only: false, force_change: false } as const

let folder: string
let config: DatabaseConfig
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-killed-'))
  config = { kind: 'sqlite', file: join(folder, 'switchroom.db') }
  if (chosen === 'mysql') {
    const at = mysqlAt('killed_events_test')
    await emptyMysql(at)
    config = at
  }
  const db = openDb(config)
  await prepareDatabase(db)
  await noteReader(db, ADMIN, Date.now())
  await db.destroy()
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))
/** Writers add and rename carriers, and say so once they are told, while their process gathers events. */
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
  const db = openDb(${JSON.stringify(config)})
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
    // each begins after what an earlier one, which was killed, would have held
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
    const child = spawn(process.execPath, ['--input-type=module', '-e', script(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const said: string[] = []
    let passes = 0
    const lines = createInterface(child.stdout).on('line', (line) => {
      if (line === 'pass') passes += 1
      else said.push(line)
    })
    await expect.poll(() => said.length > 100 && passes > 2).toBe(true)
    child.kill('SIGKILL')
    await new Promise((resolve) => lines.once('close', resolve))
    told += said.length

    const db = openDb(config)
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
