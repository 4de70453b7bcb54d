import { npm } from './npm.ts'

/**
 * Asks the npm registry for known advisories about installed packages. Exits with 1 if there are any. A registry
 * that does not answer such questions is no finding: the script says that nothing was checked.
 */
type Advisory = {
  name: string
  severity: string
  range: string
  via: (string | { title: string })[]
}
type Audit = {
  vulnerabilities?: Record<string, Advisory>
  metadata?: { dependencies: { total: number } }
  message?: string
  error?: { summary?: string }
}

/** Reads the result of `npm audit --json`; `unasked` if it could not ask. */
export function outcome({ out, errors }: { out: string; errors: string }) {
  let answer: Audit = {}
  try {
    answer = JSON.parse(out) as Audit
  } catch {
    // an npm that fails early prints no JSON
  }
  if (!answer.vulnerabilities || !answer.metadata) {
    const why = answer.error?.summary || answer.message || errors.trim().split('\n')[0]
    return { unasked: why || 'npm audit printed nothing' }
  }
  const found = Object.values(answer.vulnerabilities).map(({ name, severity, range, via }) => {
    const titles = via.flatMap((v) => (typeof v === 'string' ? [`through ${v}`] : [v.title]))
    return `${severity}: ${name} ${range}: ${titles.join('; ')}`
  })
  return { found, of: answer.metadata.dependencies.total }
}

if (import.meta.main) {
  const { unasked, found = [], of } = outcome(await npm('audit', '--json'))
  if (unasked !== undefined)
    console.log(
      `Not checked: the registry did not answer the question about advisories. ${unasked}`,
    )
  else if (found.length === 0) console.log(`None found: no known advisory about ${of} packages.`)
  else console.log(`Found ${found.length}:\n${found.join('\n')}`)
  process.exit(found.length > 0 ? 1 : 0)
}
