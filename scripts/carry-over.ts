import { realpathSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CannotStart } from '../packages/server/src/config/cannot-start.ts'
import { type Config, readConfig } from '../packages/server/src/config/config.ts'
import { databaseOf } from '../packages/server/src/config/database-error.ts'
import { existingSecret } from '../packages/server/src/config/kept-secret.ts'
import { secretBox } from '../packages/server/src/secrets/secret-box.ts'
import { existingDatabase } from '../packages/server/src/start/database.ts'
import { exitBecause } from '../packages/server/src/start/errors.ts'
import { carryOver, OtherVersion } from '../packages/server/src/system/carry-over/carry-over.ts'
import type { CarryOver, Installation } from '../packages/server/src/system/carry-over/report.ts'

/**
 * Adds what was entered on SQLite to the platform's database, which the environment names. Shows what it would do;
 * with `--apply`, does it.
 */
const USAGE = 'Usage: npm run carry-over -- --from <old data folder> [--apply]'
const { values } = parseArgs({
  options: { from: { type: 'string' }, apply: { type: 'boolean', default: false } },
})
if (!values.from) {
  console.error(USAGE)
  process.exit(2)
}
const MOST_LINES = 50

/** The secret of an installation: what its credentials are encrypted with. */
function boxOf({ encryption_secret, jwt_secret, data, legacy_crypto: legacy }: Config) {
  const secret = encryption_secret ?? jwt_secret ?? existingSecret(data, 'jwt-secret')
  if (secret === undefined)
    throw new CannotStart(
      `${data} has no file jwt-secret. Set CARRY_OVER_SECRET to the ENCRYPTION_SECRET, or else the JWT_SECRET, that the old server had.`,
    )
  return secretBox({ secret, legacy })
}

async function opened(config: Config): Promise<Installation> {
  return { db: await existingDatabase(config), box: boxOf(config) }
}

function print({ added, replaced, kept, problems, left }: CarryOver) {
  const list = <X>(title: string, all: readonly X[], line: (one: X) => string) => {
    if (all.length === 0) return
    console.log(`\n${title}`)
    for (const one of all.slice(0, MOST_LINES)) console.log(`  ${line(one)}`)
    if (all.length > MOST_LINES) console.log(`  and ${all.length - MOST_LINES} more`)
  }
  const rows = (one: { table: string; rows: number }) =>
    `${String(one.rows).padStart(7)} ${one.table}`
  list(done ? 'Added:' : 'To be added:', added, rows)
  if (added.length === 0 && problems.length === 0) console.log('\nEverything is there already.')
  list('Was as set-up made it, and becomes:', replaced, ({ table, name }) => `${table} "${name}"`)
  list(
    'There already, and kept as it is there:',
    kept,
    ({ table, name, different }) =>
      `${table} "${name}"${different.length > 0 ? ` (another ${different.join(', ')})` : ''}`,
  )
  list('Stays behind:', left, (one) => `${rows(one)}: ${one.why}`)
  list('In the way:', problems, ({ table, name, why }) => `${table} "${name}": ${why}`)
}

let config: Config | undefined
let done = false
try {
  config = readConfig(process.env)
  const oldSecret = process.env.CARRY_OVER_SECRET
  const old = readConfig({
    SWITCHROOM_DATA: realpathSync(values.from),
    ...(oldSecret && { ENCRYPTION_SECRET: oldSecret }),
  })
  if (databaseOf(config).kind !== 'mysql')
    throw new CannotStart(
      'JAMBONES_MYSQL_HOST: is not set. Run this with the variables of the server that people use from now on.',
    )
  const [from, to] = [await opened(old), await opened(config)]
  const report = await carryOver(from, to, { isReal: values.apply })
  done = values.apply && report.problems.length === 0
  print(report)
  await Promise.all([from.db.destroy(), to.db.destroy()])
  if (report.problems.length > 0) {
    console.error('\nNothing was written. Rename or remove what is in the way, in either place.')
    process.exit(1)
  }
  if (!done && report.added.length > 0)
    console.log('\nNothing was written yet. Stop the old server, and run this again with --apply.')
} catch (e) {
  if (!(e instanceof OtherVersion)) exitBecause(e, config, 'Nothing can be carried over')
  console.error(e.message)
  process.exit(1)
}
process.exit(0)
