import { readFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)
const read = (file: string) => JSON.parse(readFileSync(new URL(file, root), 'utf8')) as unknown

type Manifest = {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** Lists the places where each direct dependency is declared: `server`, `console (tests and build)`, `tools`. */
export function declaredDependencies(): Map<string, string[]> {
  const where = new Map<string, string[]>()
  const note = (names: object | undefined, place: string) => {
    for (const name of Object.keys(names ?? {}))
      where.set(name, [...(where.get(name) ?? []), place])
  }
  for (const floor of ['contract', 'server', 'console', 'client', 'config', 'cli']) {
    const manifest = read(`packages/${floor}/package.json`) as Manifest
    note(manifest.dependencies, floor)
    note(manifest.devDependencies, `${floor} (development)`)
  }
  note((read('package.json') as Manifest).devDependencies, 'tools')
  return where
}

/** Licences that may be used here, as SPDX names. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  // changed files stay under it; we change none
  'MPL-2.0',
  // the console's font
  'OFL-1.1',
  'Unlicense',
])

/** Packages whose metadata names no SPDX licence, with the licence that they state elsewhere. */
const STATED: Record<string, string> = {
  'ansi-color@0.2.2': 'BSD-3-Clause',
  'bufrw@1.4.0': 'MIT',
  'error@7.0.2': 'MIT',
  'hexer@1.5.0': 'MIT',
  'process@0.10.1': 'MIT',
  'string-template@0.2.1': 'MIT',
  'thriftrw@3.12.0': 'MIT',
  'uri-templates@0.2.0': 'MIT',
}

/** True if a licence expression can be met by allowed licences alone. */
export function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' AND ')) return plain.split(' AND ').every(isAllowed)
  return plain.split(' OR ').some((name) => ALLOWED.has(name))
}

/** Every installed package of others, with its licence. */
export function licences() {
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { version?: string; link?: true; license?: string; name?: string }>
  }
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { license, name, version }]) => {
      const called = name ?? path.split('node_modules/').at(-1)!
      return {
        name: called,
        version,
        licence: STATED[`${called}@${version}`] ?? license ?? 'unknown',
      }
    })
}
