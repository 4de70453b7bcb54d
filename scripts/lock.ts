import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Removes `engines` from the lockfile. Packages run on the Node that `npm ci` installs, but npm checks `engines`
 * against its own Node: on an older one it prints hundreds of warnings and silently skips optional packages. See
 * docs/adr/001-node-by-npm.md.
 */
const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, object> }
for (const entry of Object.values(lock.packages)) Reflect.deleteProperty(entry, 'engines')
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
