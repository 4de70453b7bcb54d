import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Takes the `engines` out of the lockfile. They mean the Node that packages run on, and that one `npm ci` brings;
 * npm compares them with the Node it runs on itself, warns by the hundred where that is an older one, and leaves
 * out optional packages without a word. See docs/adr/001-node-by-npm.md.
 */
const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, object> }
for (const entry of Object.values(lock.packages)) Reflect.deleteProperty(entry, 'engines')
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
