import { parseArgs } from 'node:util'

const USAGE = `Usage: npm run doctor [-- --json]
Run it with the server's own variables, in the folder where the server starts. The server may be running.
It tries the upgrade of the data folder on a copy of each file in TMPDIR, which takes long if there is much call data.
Exit code: 0 no problems, 1 problems, 2 wrong arguments.`

/** Checks the set-up and says what is wrong and how to fix it. Alters nothing. */
function parse() {
  try {
    return parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } }).values
  } catch {
    return undefined
  }
}

const given = parse()
if (!given || given.help) {
  console.error(USAGE)
  process.exit(given ? 0 : 2)
}
const { doctorText } = await import('../packages/contract/src/health/doctor-text.ts')
const { runDoctor } = await import('../packages/server/src/health/doctor/run.ts')
const { siteOf } = await import('../packages/server/src/health/doctor/site.ts')
const report = await runDoctor(siteOf({ environment: process.env }))
process.stdout.write(
  `${given.json ? JSON.stringify(report, undefined, 2) : doctorText(report)}\n`,
  () =>
    // connections to what hangs must not keep it
    process.exit(report.results.some(({ outcome }) => outcome === 'problem') ? 1 : 0),
)
