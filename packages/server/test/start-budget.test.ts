import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/**
 * What every start loads costs a third of a millisecond and some 20 kB per module. Figures that no busy machine
 * changes stand for both: `npm run bench` measures them.
 */
const COUNT = `
import { statSync } from 'node:fs'
import { registerHooks } from 'node:module'
const files = new Map()
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) files.set(url, statSync(new URL(url)).size)
    return next(url, context)
  },
})
process.once('exit', () => {
  const builtIn = process.moduleLoadList.map((name) => name.replace('NativeModule ', ''))
  process.stdout.write(JSON.stringify({ files: [...files], builtIn }))
})`

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
// without a valid port it ends as soon as everything is loaded
const { stdout } = spawnSync(
  process.execPath,
  [`--import=data:text/javascript,${encodeURIComponent(COUNT)}`, main],
  { encoding: 'utf8', env: { PATH: process.env.PATH, HTTP_PORT: 'none' }, maxBuffer: 2 ** 26 },
)
const { files, builtIn } = JSON.parse(stdout) as { files: [string, number][]; builtIn: string[] }

it('loads no more than its budget', () => {
  expect(files.length).toBeGreaterThan(1_000)
  expect(files.length).toBeLessThan(1_350)
  expect(files.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(5_900_000)
})

it.each([
  ['schemas that Fastify would compile', 'ajv'],
  ['backups', 'age-encryption'],
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
  expect(files.map(([url]) => url).filter((url) => url.includes(`/node_modules/${name}/`))).toEqual(
    [],
  )
})

it('leaves Node’s own fetch and WebSocket for later, which an import of node:http loads', () => {
  expect(builtIn).toContain('http')
  expect(builtIn).not.toContain('internal/deps/undici/undici')
})
