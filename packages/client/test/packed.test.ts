import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, CLIENT_CONNECTED, type Endpoint } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { snippetsOf } from '../../server/src/http/examples.ts'
import { buildClient } from '../build.ts'

/** The package as others install it: packed, in a project that has nothing else. */

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'switchroom-client-'))
const project = join(folder, 'project')
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, HOME: project },
  })

beforeAll(async () => {
  mkdirSync(project)
  await buildClient(join(folder, 'client'))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  const packed = [join(folder, 'client'), join(root, 'node_modules/zod')].map((from) =>
    join(project, run('npm', 'pack', '--silent', '--ignore-scripts', from).trim()),
  )
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packed)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const installed = () => join(project, 'node_modules/@switchroom/client')

it('names no package of this repository', () => {
  const files = globSync('**/*.{js,ts,json}', { cwd: installed() })
  expect(files.length).toBeGreaterThan(100)
  const naming = files.filter((file) =>
    /(?:from|import\() ?['"]@switchroom\/(?!client)/.test(
      readFileSync(join(installed(), file), 'utf8').replace(/^ *\*.*$/gm, ''),
    ),
  )
  expect(naming).toEqual([])
})

/** The calls that the reference shows of every endpoint. */
const examples = () =>
  [
    CLIENT_CONNECTED,
    ...Object.entries(api).flatMap(([group, members]) =>
      Object.entries(members as Record<string, Endpoint>).map(
        ([name, e]) => snippetsOf(group, name, e).typescript,
      ),
    ),
    'void openAsBlob',
  ].join('\n')

it('compiles what its README and the reference say', () => {
  const readme = readFileSync(join(installed(), 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)
  expect(blocks.length).toBeGreaterThan(4)
  for (const [i, code] of blocks.entries()) writeFileSync(join(project, `readme-${i}.ts`), code)
  writeFileSync(join(project, 'examples.ts'), examples())
  // what a wrong call would be told
  writeFileSync(
    join(project, 'wrong.ts'),
    `import { connect } from '@switchroom/client'
// @ts-expect-error the number is missing
await connect({ url: '' }).phoneNumbers.create({ body: {} })
// @ts-expect-error it has no such member
;(await connect({ url: '' }).phoneNumbers.list()).data[0]?.colour
`,
  )
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ module: 'nodenext', target: 'es2022', strict: true, noEmit: true },
        ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
        ...{ lib: ['es2022', 'dom', 'dom.asynciterable'] },
      },
    }),
  )
  expect(run(join(root, 'node_modules/.bin/tsc'), '-p', '.')).toBe('')
})

it('loads no schemas until a request is to be checked', () => {
  const script = (work: string) => `
    import { registerHooks } from 'node:module'
    const files = []
    registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) })
    const { connect } = await import('@switchroom/client')
    const switchroom = connect({ url: 'https://x.test', fetch: async () => Response.json({}) })
    ${work}
    console.log(JSON.stringify(files.filter((url) => url.startsWith('file:'))))`
  const loaded = (work: string) =>
    JSON.parse(run(process.execPath, '--input-type=module', '--eval', script(work))) as string[]
  const lean = loaded('await switchroom.phoneNumbers.list()')
  expect(lean.length).toBeLessThan(4)
  const bytes = lean.reduce((sum, url) => sum + readFileSync(new URL(url)).length, 0)
  expect(bytes).toBeLessThan(80_000)
  const checked = loaded(`await switchroom.phoneNumbers
    .create({ body: { number: 'x' } }, { check: true }).catch(() => undefined)`)
  expect(checked.some((url) => url.includes('/zod/'))).toBe(true)
})
