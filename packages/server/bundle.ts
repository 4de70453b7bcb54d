import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type * as Rolldown from 'rolldown'
import { type Plugin, rolldown } from 'rolldown'

/**
 * The server and the packages that a start loads in a few files, which start in half the time of 1,250 (see
 * docs/adr/026-one-bundle.md). `npm start` runs them. Development and commands run the sources, and so do tests, which only
 * start threads from a bundle.
 */

const SRC = join(import.meta.dirname, 'src')
const ROOT = join(import.meta.dirname, '../..')
const MAIN = join(SRC, 'main.ts')

/** Packages that stay where npm put them. */
const OUTSIDE = [
  // native
  '@node-rs/argon2',
  // loaded when first used, and by few servers: a start would gain nothing
  '@aws-sdk/*',
  '@azure/*',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@grpc/*',
  '@simplewebauthn/server',
  '@smithy/*',
  '@zxcvbn-ts/*',
  'age-encryption',
  'jsonc-parser',
  'light-my-request',
  'nodemailer',
  'oidc-provider',
  'openid-client',
  'stripe',
  'undici',
  'mpg123-decoder',
  'wasm-media-encoders',
]

/** Files of packages that look for files beside them in what we never call: a bundle has no such files. */
const UNUSED_PLACES = [
  // threads that write the log
  'pino/lib/transport.js',
  'thread-stream/index.js',
  // friendlier stacks, an option
  'ioredis/built/Command.js',
]

/** Packages that others load for what we never call, by who loads them. */
const UNUSED: Record<string, string> = {
  // a route for each file: `serve` is off
  glob: '@fastify/static',
}
const NEVER = '\0never:'

function unused(): Plugin {
  return {
    name: 'unused',
    resolveId: (id, from) =>
      UNUSED[id] && from?.includes(`/node_modules/${UNUSED[id]}/`) ? NEVER + id : null,
    load: (id) =>
      id.startsWith(NEVER)
        ? `export const ${id.slice(NEVER.length)} = () => { throw new Error('Left out of the bundle') }`
        : null,
  }
}

const outside = OUTSIDE.map((name) =>
  name.endsWith('*') ? new RegExp(`^${name.slice(0, -1)}`) : new RegExp(`^${name}(?:/|$)`),
)

/** Threads and processes: each is a file of its own, which shares modules with the others. */
export const THREAD = /new URL\('(\.\/[^']+\.ts)', import\.meta\.url\)/g
/** Modules that are chosen by name, such as the vendors of speech. */
const CHOSEN = /import\(`(\.\/[^`$]+\/)\$\{(\w+)\}\.ts`\)/g

function places(out: string): Plugin {
  return {
    name: 'places',
    transform(code, id) {
      if (!id.startsWith(SRC + sep)) {
        const file = id.slice(id.lastIndexOf(`node_modules${sep}`) + 13)
        if (/\b__(?:dir|file)name\b|\bimport\.meta\.(?:url|dirname|filename)\b/.test(code))
          if (!UNUSED_PLACES.includes(file) && !id.startsWith('\0'))
            this.error(`${file} looks for files beside it. Add its package to OUTSIDE.`)
        return null
      }
      const folder = dirname(id)
      const source = relative(out, id).replaceAll(sep, '/')
      const placed = code
        .replace(THREAD, (_, file) => {
          const thread = join(folder, file)
          const name = relative(SRC, thread).replace(/\.ts$/, '').replaceAll(sep, '-')
          const chunk = this.emitFile({ type: 'chunk', id: thread, name })
          return `new URL(import.meta.ROLLUP_FILE_URL_${chunk})`
        })
        .replace(CHOSEN, (_, from, name) => {
          const files = readdirSync(join(folder, from)).filter(
            (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
          )
          const modules = files.map((file) => `'${file}': () => import('${from}${file}')`)
          return `({ ${modules.join(', ')} })[\`\${${name}}.ts\`]()`
        })
        // URLs of files that are not code stay below the sources
        .replace(/\bimport\.meta\.url\b/g, `new URL('${source}', import.meta.url).href`)
      // no line moved
      return placed === code ? null : { code: placed, map: null }
    },
  }
}

const CONTRACT = join(ROOT, 'packages/contract/src')
const ENDPOINTS = join(SRC, 'http/endpoints.ts')

/** The plain data of `http/endpoints.ts`, made now, and an import for the schemas of each group. */
const endpoints = (): Plugin => ({
  name: 'endpoints',
  async load(id) {
    if (id !== ENDPOINTS) return null
    const { light } = await import('./src/http/endpoints.ts')
    const groups = [
      ...readFileSync(join(CONTRACT, 'api.ts'), 'utf8').matchAll(
        /^import \{ (.+) \} from '\.(.+)'$/gm,
      ),
    ].flatMap(([, names, file]) =>
      names!
        .split(', ')
        .map((name) => `${name}: async () => (await import('${CONTRACT}${file}')).${name}`),
    )
    return `export const light = ${JSON.stringify(light)}
export const groups = { ${groups.join(',\n')} }`
  },
})

type Chunk = Rolldown.OutputChunk

/** The modules of these files, and of those that they load at once. */
function modulesOf(files: readonly Chunk[], all: readonly Chunk[]) {
  const loaded = new Set(files.map(({ fileName }) => fileName))
  // the set grows while it is read
  for (const name of loaded)
    for (const next of all.find((c) => c.fileName === name)?.imports ?? []) loaded.add(next)
  return new Set(all.filter((c) => loaded.has(c.fileName)).flatMap(({ moduleIds }) => moduleIds))
}

/**
 * Modules that a start loads, on the main thread alone and together with threads. Rooms that load late and threads of
 * stores share modules with it, each in other ways, which would make as many small files.
 */
function ofStart(files: readonly Chunk[]) {
  const isMain = ({ facadeModuleId }: Chunk) => facadeModuleId === MAIN
  const start = modulesOf(files.filter(isMain), files)
  const threads = modulesOf(
    files.filter((file) => file.isEntry && !isMain(file)),
    files,
  )
  return { alone: start.difference(threads), shared: start.intersection(threads) }
}

/** Writes the bundle into a folder, which begins at `main.js`. */
export async function bundle(out: string, entries: Record<string, string> = {}) {
  const input: Rolldown.InputOptions = {
    cwd: ROOT,
    input: { main: MAIN, ...entries },
    platform: 'node',
    external: outside,
    plugins: [unused(), endpoints(), places(out)],
    logLevel: 'warn',
    preserveEntrySignatures: 'allow-extension',
  }
  const output: Rolldown.OutputOptions = {
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    cleanDir: true,
    comments: false,
    // V8 keeps a file with any other character in two bytes for each
    charset: 'ascii',
    sourcemap: true,
    sourcemapExcludeSources: true,
  }
  const draft = await rolldown({ ...input, logLevel: 'silent' })
  const { alone, shared } = ofStart(chunksOf(await draft.generate(output)))
  await draft.close()
  const build = await rolldown(input)
  const written = await build.write({
    ...output,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'start', test: (id) => id !== MAIN && alone.has(id) },
        { name: 'contract', test: (id) => id.includes('/contract/src/') && shared.has(id) },
        { name: 'stores', test: (id) => id.includes('/server/src/stores/') && shared.has(id) },
      ],
    },
  })
  await build.close()
  return chunksOf(written)
}

/**
 * Writes the threads alone into a folder, for tests: each at the path of its source with `.js`. They start in a sixth of the
 * time that the sources take.
 */
export async function bundleThreads(out: string) {
  const entries = globSync('**/*.ts', { cwd: SRC, exclude: (name) => name.endsWith('.test.ts') })
    .flatMap((file) => {
      const threads = readFileSync(join(SRC, file), 'utf8').matchAll(THREAD)
      return [...threads].map(([, thread]) => join(dirname(file), thread!))
    })
    .map((thread) => [thread.replace(/\.ts$/, ''), join(SRC, thread)])
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(entries),
    platform: 'node',
    external: outside,
    plugins: [places(out)],
    logLevel: 'warn',
  })
  await build.write({ dir: out, format: 'esm', entryFileNames: '[name].js', comments: false })
  await build.close()
}

const chunksOf = ({ output }: Rolldown.RolldownOutput) =>
  output.filter((file) => file.type === 'chunk')

if (import.meta.main) await bundle(process.argv[2]!)
