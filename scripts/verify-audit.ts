import { pendingEntries, verify } from '../packages/server/src/audit/verify.ts'
import { type Config, readConfig } from '../packages/server/src/config/config.ts'
import { existingDatabase } from '../packages/server/src/start/database.ts'
import { exitBecause } from '../packages/server/src/start/errors.ts'

/** Verifies the audit log of the configured database. Exits with 1 if its hash chain is broken. */
let config: Config | undefined
try {
  config = readConfig(process.env)
  const db = await existingDatabase(config)
  const verdict = await verify(db)
  const pending = await pendingEntries(db)
  await db.destroy()
  report(verdict, pending)
} catch (e) {
  exitBecause(e, config, 'The audit log cannot be verified')
}

function report(verdict: Awaited<ReturnType<typeof verify>>, pending: number) {
  if (verdict.whole) {
    const { entries, hash } = verdict
    console.log(`The audit log is intact: ${entries} entries, newest hash ${hash || 'none'}`)
    if (pending > 0)
      console.log(`${pending} entries of an import are not linked yet. The server links them.`)
  } else {
    console.error(`The audit log is broken at entry ${verdict.seq}: ${verdict.why}`)
    process.exitCode = 1
  }
}
