import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { table } from './describe.ts'
import manifest from './package.json' with { type: 'json' }

/** Makes the command line that is published, in `dist`: `npm pack ./packages/cli/dist`. It needs no other package. */

const here = import.meta.dirname
const TABLE = join(here, 'src/table.ts')
const COMMANDS = join(here, '../client/src/commands.ts')
const SCHEMAS = join(here, '../client/src/schemas.ts')

const asText = (value: unknown) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`

/** The table with each flag once, since most commands share those of lists. */
function tableModule() {
  const flags = new Map<string, number>()
  const numberOf = (flag: object) => {
    const text = JSON.stringify(flag)
    if (!flags.has(text)) flags.set(text, flags.size)
    return flags.get(text)!
  }
  const packed = Object.fromEntries(
    Object.entries(table).map(([group, rows]) => [
      group,
      Object.fromEntries(
        Object.entries(rows).map(([name, row]) => [
          name,
          { ...row, flags: row.flags.map(numberOf) },
        ]),
      ),
    ]),
  )
  return `const flags = ${asText([...flags.keys()].map((text) => JSON.parse(text)))}
export const table = ${asText(packed)}
for (const rows of Object.values(table))
  for (const row of Object.values(rows)) row.flags = row.flags.map((number) => flags[number])`
}

/** The contract as data. It is text, because reading JSON is faster than compiling what it says. */
const contractPlugin: Plugin = {
  name: 'contract',
  load(id) {
    if (id === TABLE) return tableModule()
    // the client's own table is a part of it
    if (id === COMMANDS) return `export { table as commands } from ${JSON.stringify(TABLE)}`
    // the server checks
    if (id === SCHEMAS) return 'export const parsed = (_group, _name, request) => request'
    return null
  },
}

export async function buildCli(out = join(here, 'dist')) {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const bundle = await rolldown({
    input: { switchroom: join(here, 'src/main.ts') },
    platform: 'node',
    plugins: [contractPlugin],
  })
  await bundle.write({
    ...{ dir: out, format: 'esm', comments: false, minify: { mangle: false } },
    ...{ entryFileNames: '[name].js', chunkFileNames: '[name].js' },
  })
  await bundle.close()
  chmodSync(join(out, 'switchroom.js'), 0o755)
  cpSync(join(here, 'README.md'), join(out, 'README.md'))
  cpSync(join(here, '../../LICENSE'), join(out, 'LICENSE'))
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}

const { name, version, type } = manifest
const published = {
  ...{ name, version, type },
  description: 'Switchroom from a terminal',
  license: 'MIT',
  bin: { switchroom: './switchroom.js' },
  engines: { node: '>=22.12' },
}

if (import.meta.main) await buildCli()
