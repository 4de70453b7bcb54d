import { join } from 'node:path'
import { verify } from '../packages/server/src/audit/verify.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { openDb } from '../packages/server/src/db/open.ts'

/** Checks the audit log of the database that the environment names. Ends with 1 when its chain is broken. */
const config = readConfig(process.env)
const db = openDb(config.database ?? { kind: 'sqlite', file: join(config.data, 'switchroom.db') })
const verdict = await verify(db)
await db.destroy()
if (verdict.whole)
  console.log(
    `The audit log is whole: ${verdict.entries} entries, newest hash ${verdict.hash || 'none'}`,
  )
else {
  console.error(`The audit log is broken at entry ${verdict.seq}: ${verdict.why}`)
  process.exitCode = 1
}
