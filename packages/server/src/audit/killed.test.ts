import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { databaseOfKilled, linesOfKilled } from '../../test/killed.ts'
import { caseCount, report, reportedCases } from '../../test/trust.ts'
import { openDb } from '../db/open.ts'
import { verify } from './verify.ts'

const KILLED = 'changes of 32 writers in a killed process'

const opened = databaseOfKilled('killed_test')

const at = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))
/** Each writer adds a provider, renames it or fails to, reports each committed change, and continues. */
const script = (round: number) => `
  import { writeSync } from 'node:fs'
  import { audited, auditedAddition } from ${at('./audited.ts')}
  import { commandActor } from ${at('./command.ts')}
  import { insertOne } from ${at('../db/insert-many.ts')}
  import { openDb } from ${at('../db/open.ts')}
  const db = openDb(${JSON.stringify(opened.config)})
  const actor = () => ({ ...commandActor('writer'), ctx: { db } })
  const table = 'service_providers'
  const key = 'service_provider_sid'
  async function write(writer) {
    for (let n = 0; ; n++) {
      const sid = [${round}, writer, n].join('-')
      const add = (tx) => insertOne(tx, table, key, { [key]: sid, name: sid })
      await auditedAddition(actor(), { kind: 'service_provider', sid }, add)
      writeSync(1, 'added ' + sid + '\\n')
      const read = (tx) => tx.selectFrom(table).selectAll().where(key, '=', sid).executeTakeFirst()
      const renaming = audited(actor(), { kind: 'service_provider', sid, read }, async (tx) => {
        await tx.updateTable(table).set({ name: 'renamed ' + sid }).where(key, '=', sid).execute()
        if (n % 3 === 0) throw new Error('no')
      })
      await renaming.then(() => writeSync(1, 'renamed ' + sid + '\\n'), () => undefined)
    }
  }
  for (let writer = 0; writer < 32; writer++) write(writer)`

it('leaves each change with its entry, and the log whole', {
  timeout: 60_000 * caseCount(2, 200),
}, async () => {
  const kills = reportedCases(KILLED, 2, 200)
  let told = 0
  for (let round = 0; round < kills; round++) {
    const said = await linesOfKilled(script(round), (lines) => lines.length > 200)
    told += said.length

    const db = openDb(opened.config)
    const stored = new Map(
      (await db.selectFrom('service_providers').selectAll().execute()).map((p) => [
        p.service_provider_sid,
        p.name,
      ]),
    )
    const entries = await db.selectFrom('switchroom_audit').select(['sid', 'action']).execute()
    const logged = new Set(entries.map(({ sid, action }) => `${action} ${sid}`))
    // acknowledged, stored and logged are one
    const lost = said.filter((line) => {
      const [what, sid] = line.split(' ') as [string, string]
      if (what === 'added') return !stored.has(sid) || !logged.has(`create ${sid}`)
      return stored.get(sid) !== `renamed ${sid}` || !logged.has(`update ${sid}`)
    })
    expect(lost).toEqual([])
    const ofWriters = [...stored].filter(([sid]) => sid.startsWith(`${round}-`))
    const unlogged = ofWriters.filter(
      ([sid, name]) =>
        !logged.has(`create ${sid}`) || (name !== sid) !== logged.has(`update ${sid}`),
    )
    expect(unlogged).toEqual([])
    expect(entries).toHaveLength(logged.size)
    expect(await verify(db)).toMatchObject({ whole: true, entries: entries.length })
    await db.destroy()
  }
  report({ part: KILLED, tried: 0, found: { 'told and found': told } })
})
