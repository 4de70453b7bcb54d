import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { COMMITS } from '../packages/server/test/older-data/commits.ts'
import { writeOlderData } from '../packages/server/test/older-data/make.ts'
import { packed } from '../packages/server/test/older-data/packed.ts'

/**
 * Makes data folders with older versions, for tests of upgrades: `npm run older-data -- <folder> [<commit>…]`, or else of
 * all commits of `packages/server/test/older-data/commits.ts`. With `--pack`, a compressed file of each.
 */
const isPacking = process.argv.includes('--pack')
const [to, ...named] = process.argv.slice(2).filter((arg) => arg !== '--pack')
if (!to) {
  console.error('Usage: npm run older-data -- [--pack] <folder> [<commit>…]')
  process.exit(2)
}
mkdirSync(to, { recursive: true })
for (const commit of named.length > 0 ? named : Object.keys(COMMITS)) {
  const data = resolve(to, commit)
  rmSync(data, { recursive: true, force: true })
  writeOlderData(commit, data)
  if (isPacking) {
    writeFileSync(`${data}.br`, packed(data))
    rmSync(data, { recursive: true })
  }
  console.log(isPacking ? `${data}.br` : data)
}
