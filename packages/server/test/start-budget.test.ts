import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { api } from '@switchroom/contract'
import { afterAll, expect, it } from 'vitest'
import { bundled } from './bundled.ts'

const ROUTES = join(import.meta.dirname, '../src/routes.ts')

/**
 * Time and memory of a start grow with the modules it loads. Figures that no busy machine changes stand for both: `npm
 * run bench` measures them.
 */
const COUNT = `
import { registerHooks } from 'node:module'
const files = []
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) files.push(url)
    return next(url, context)
  },
})
process.once('exit', () => {
  const builtIn = process.moduleLoadList.map((name) => name.replace('NativeModule ', ''))
  process.stdout.write(JSON.stringify({ files, builtIn }))
})`

const { folder, chunks } = await bundled()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// without a valid port it ends as soon as everything is loaded
const { stdout } = spawnSync(
  process.execPath,
  [`--import=data:text/javascript,${encodeURIComponent(COUNT)}`, join(folder, 'main.js')],
  { encoding: 'utf8', env: { PATH: process.env.PATH, HTTP_PORT: 'none' }, maxBuffer: 2 ** 26 },
)
const { files, builtIn } = JSON.parse(stdout) as { files: string[]; builtIn: string[] }
const loaded = chunks.filter(({ fileName }) =>
  files.includes(pathToFileURL(join(folder, fileName)).href),
)
const modules = loaded.flatMap(({ moduleIds }) => moduleIds)

it('loads no more than its budget', () => {
  expect(modules.length).toBeGreaterThan(600)
  expect(modules.length).toBeLessThan(820)
  expect(loaded.reduce((sum, { code }) => sum + code.length, 0)).toBeLessThan(2_500_000)
})

it('is a bundle, but for what has to stay outside', () => {
  expect(loaded.length).toBeLessThan(20)
  const names = new Set(loaded.map(({ fileName }) => fileName))
  expect(files.map((url) => basename(url)).filter((name) => !names.has(name))).toEqual([])
})

it.each([
  ['schemas that Fastify would compile', 'ajv'],
  ['backups', 'age-encryption'],
  ['imports', 'csv-parse'],
  ['exports', 'csv-stringify'],
  ['password hashes, which are made in threads', '@node-rs/argon2'],
  ['single sign-on', 'openid-client'],
  ['MariaDB', 'mysql2'],
  ['Redis', 'ioredis'],
  ['mails', 'nodemailer'],
  ['buckets on S3', '@aws-sdk/client-s3'],
  ['buckets on Azure', '@azure/storage-blob'],
  ['payments', 'stripe'],
  ['vendors with gRPC', '@grpc/grpc-js'],
  ['requests through proxies and pools', 'undici'],
  ['its own traces', '@opentelemetry/sdk-trace'],
])('leaves what only some servers need for later: %s', (_, name) => {
  expect([...modules, ...files].filter((id) => id.includes(`/node_modules/${name}/`))).toEqual([])
})

it('loads no room, and so takes as long with one more', () => {
  const text = readFileSync(ROUTES, 'utf8')
  // the compiler asks for a line of every group
  const late = [...text.matchAll(/^ {2}\w+: async \(\) =>\s+\(await import\('\.\/(.+?)'\)\)/gm)]
  expect(late).toHaveLength(Object.keys(api).length)
  expect(text).not.toMatch(/^import (?!type)/m)
  const rooms = late.map(([, file]) => file!)
  expect(rooms.filter((file) => modules.some((id) => id.endsWith(`/server/src/${file}`)))).toEqual(
    [],
  )
})

it('makes no schemas of endpoints', () => {
  const withEndpoints = modules.filter(
    (id) =>
      id.includes('/contract/src/') &&
      /\bendpoints\(/.test(readFileSync(id.split('?')[0]!, 'utf8')),
  )
  expect(withEndpoints).toEqual([])
})

it('leaves Node’s own fetch and WebSocket for later, which an import of node:http loads', () => {
  expect(builtIn).toContain('http')
  expect(builtIn).not.toContain('internal/deps/undici/undici')
})
