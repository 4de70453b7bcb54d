import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { keysOf, vendors } from '@switchroom/contract'
import { CompiledQuery, Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as sources from './bundle-parts.ts'
import { bundled } from './bundled.ts'

/** The bundle that `npm start` runs behaves like its sources, which all other tests run. */

const parts = join(import.meta.dirname, 'bundle-parts.ts')
const { folder, chunks } = await bundled({ parts })
const {
  groups,
  light,
  mp3File,
  outbound,
  passwordThreads,
  protocolOf,
  providerModules,
  Refused,
  sqliteWorkerDialect,
} = (await import(join(folder, 'parts.js'))) as typeof sources

let data: string
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'switchroom-bundle-'))
})
afterAll(() => {
  for (const path of [folder, data]) rmSync(path, { recursive: true, force: true })
})

const chunkOf = (name: string) => chunks.find(({ fileName }) => fileName === name)

/** The files that a file loads, at once or later. */
function filesLoadedBy(name: string) {
  const all = new Set([name])
  for (const file of all) {
    const { imports = [], dynamicImports = [] } = chunkOf(file) ?? {}
    for (const next of [...imports, ...dynamicImports]) all.add(next)
  }
  return [...all]
}

const src = join(import.meta.dirname, '../src')
const threads = globSync('**/!(*.test).ts', { cwd: src }).flatMap((file) =>
  [
    ...readFileSync(join(src, file), 'utf8').matchAll(
      /new URL\('\.\/(\S+\.ts)', import\.meta\.url\)/g,
    ),
  ].map(([, thread]) => join(src, file, '..', thread!)),
)

it('has every thread and process, none of which starts a second server', () => {
  const files = threads.map((thread) => chunks.find((c) => c.facadeModuleId === thread)?.fileName)
  expect(files.length).toBeGreaterThan(8)
  expect(files.filter((file) => !file || filesLoadedBy(file).includes('main.js'))).toEqual([])
})

it('has every endpoint, and its schemas', async () => {
  expect(light).toEqual(sources.light)
  for (const name of keysOf(sources.groups)) {
    const [group, source] = await Promise.all([groups[name](), sources.groups[name]()])
    expect(Object.keys(group), name).toEqual(Object.keys(source))
  }
})

it.each(Object.keys(vendors) as (keyof typeof vendors)[])('calls the vendor %s', async (id) => {
  expect(Object.keys(await protocolOf(id))).toEqual(Object.keys(await sources.protocolOf(id)))
})

it('knows the refusals of vendors, and finds their protocol files', async () => {
  expect(Refused).not.toBe(sources.Refused)
  const refused = new Refused('the vendor cannot be reached')
  const out = outbound(['127.0.0.1/32'])
  const { probe } = await protocolOf('nvidia')
  const socket = createServer()
  await new Promise<void>((r) => socket.listen(0, '127.0.0.1', r))
  const { port } = socket.address() as { port: number }
  await new Promise((r) => socket.close(r))
  const call = probe?.tts?.({ riva_server_uri: `127.0.0.1:${port}` }, out)
  await expect(call).rejects.toThrow(refused)
  await expect(call).rejects.toBeInstanceOf(Refused)
})

it('checks passwords, runs transactions, encodes and converts in threads', async () => {
  const passwords = passwordThreads(1)
  expect(await passwords.verify(await passwords.hash('correct horse'), 'correct horse')).toBe(true)
  await passwords.close()

  const of = { file: join(data, 'db'), purpose: 'a transaction' } as const
  const db = new Kysely({ dialect: sqliteWorkerDialect(of) })
  const { rows } = await db.executeQuery(CompiledQuery.raw('select 1 as one'))
  expect(rows).toEqual([{ one: 1 }])
  await db.destroy()

  const [from, to] = [join(data, 'raw'), join(data, 'mp3')]
  writeFileSync(from, Buffer.alloc(32_000))
  await mp3File({ from, to, rate: 8_000 })
  expect(statSync(to).size).toBeGreaterThan(1_000)

  const modules = providerModules()
  expect(await modules.abilities('@jambonz/messaging-simwood')).toEqual({
    receives: true,
    sends: true,
  })
  await modules.close()
})

it('can be read in a stack, by the names of functions', () => {
  const code = chunks.map((chunk) => chunk.code).join('\n')
  for (const name of ['buildApp', 'openStores', 'logInUser'])
    expect(code).toMatch(new RegExp(`function ${name}\\b`))
})

it('keeps every file in one byte per character', () => {
  const wide = chunks.filter(({ code }) => /[^\0-\x7f]/.test(code))
  expect(wide.map(({ fileName }) => basename(fileName))).toEqual([])
})
