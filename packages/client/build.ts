import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'
import manifest from './package.json' with { type: 'json' }
import { commands } from './src/commands.ts'

/** Makes the package that is published, in `dist`: `npm pack ./packages/client/dist`. */

const here = import.meta.dirname
const COMMANDS = join(here, 'src/commands.ts')
const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))
const CONTRACT = 'contract/src/index.js'

/** The endpoints as data in place of the contract's schemas, which come when a request is checked. */
export const commandsPlugin: Plugin = {
  name: 'commands',
  load: (id) => (id === COMMANDS ? `export const commands = ${JSON.stringify(commands)}` : null),
}

export async function buildClient(out = join(here, 'dist')) {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  await Promise.all([scripts(out), types(join(out, 'types'))])
  cpSync(join(here, 'README.md'), join(out, 'README.md'))
  cpSync(join(here, '../../LICENSE'), join(out, 'LICENSE'))
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}

const { name, version, type, dependencies } = manifest
const published = {
  name,
  version,
  type,
  description: 'The API of Switchroom, typed',
  license: 'MIT',
  exports: { types: './types/client/src/index.d.ts', default: './index.js' },
  sideEffects: false,
  engines: { node: '>=18' },
  dependencies: { zod: dependencies.zod },
}

async function scripts(out: string) {
  const bundle = await rolldown({
    input: join(here, 'src/index.ts'),
    external: ['zod'],
    platform: 'neutral',
    plugins: [commandsPlugin],
  })
  await bundle.write({ dir: out, format: 'esm', chunkFileNames: '[name].js' })
  await bundle.close()
}

/** Declarations of the client and of the contract beside it, so that nothing names a package of this repository. */
async function types(out: string) {
  const args = ['-p', join(here, 'tsconfig.build.json'), '--outDir', out]
  await promisify(execFile)(process.execPath, [TSC, ...args])
  for (const file of globSync(join(out, '**/*.d.ts'))) {
    const contract = relative(dirname(file), join(out, CONTRACT))
    const written = file.endsWith('contract/src/api.d.ts') ? apiTypes() : readFileSync(file, 'utf8')
    writeFileSync(
      file,
      written
        .replaceAll(/(['"])@switchroom\/contract\1/g, `'${contract}'`)
        .replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'),
    )
  }
}

/** The table of contents with names of types: the compiler would write them all out, a megabyte. */
const apiTypes = () =>
  readFileSync(join(here, '../contract/src/api.ts'), 'utf8')
    .replace('export const api = {', 'export declare const api: {')
    .replaceAll(/^ {2}(\w+),$/gm, '  $1: typeof $1')

if (import.meta.main) await buildClient()
