import { mkdirSync, writeFileSync } from 'node:fs'
import { licences } from './dependencies.ts'
import { npm } from './npm.ts'

/**
 * Writes what a release contains: dist/sbom.cdx.json, a CycloneDX bill of materials of the lockfile, and
 * dist/licences.csv, the licence of each package.
 */
const { code, out, errors } = await npm('sbom', '--sbom-format=cyclonedx', '--package-lock-only')
if (code !== 0) {
  console.error(`npm sbom failed:\n${errors}`)
  process.exit(1)
}
const bill = JSON.parse(out) as { metadata: { component: { name: string } }; components: object[] }
// npm takes the name from the folder
bill.metadata.component.name = 'switchroom'
const folder = new URL('../dist/', import.meta.url)
mkdirSync(folder, { recursive: true })
writeFileSync(new URL('sbom.cdx.json', folder), `${JSON.stringify(bill, null, 2)}\n`)
const rows = licences().map(({ name, version, licence }) => `${name},${version},"${licence}"\r\n`)
writeFileSync(new URL('licences.csv', folder), `package,version,licence\r\n${rows.sort().join('')}`)
console.log(`dist/sbom.cdx.json: ${bill.components.length} packages`)
console.log(`dist/licences.csv: ${rows.length} packages`)
