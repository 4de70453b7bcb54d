import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LONGEST } from './e2e/longest-first.ts'
import root from './package.json' with { type: 'json' }
import {
  api,
  type Endpoint,
  THING_PAGES,
  type Vendor,
  vendors,
} from './packages/contract/src/index.ts'
import { Env } from './packages/server/src/config/environment.ts'
import { environmentGuide } from './packages/server/src/config/guide/markdown.ts'
import { SECTIONS } from './packages/server/src/config/guide/sections.ts'
import { IN_FILES, ONCE } from './packages/server/test/files-using-services.ts'
import {
  conditions,
  findGuards,
  REFUSED_TWICE,
  uncoveredRefusals,
} from './scripts/breaks/guards.ts'
import { type Break, breaks } from './scripts/breaks/table.ts'
import { LONG } from './vitest.config.ts'

/** The house checks itself: the same wings on every floor, imports going one way, prose that is true. */

const sources = globSync('packages/{contract,server,console}/src/**/*.{ts,tsx}').filter(
  (f) => !f.includes('.test.'),
)
const known = new Map<string, string>()
/** The text of a file, which most of these tests need. */
function read(file: string) {
  const text = known.get(file) ?? readFileSync(file, 'utf8')
  known.set(file, text)
  return text
}
const kebab = (s: string) => s.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)

/** The wings, the lowest first: a wing imports those before it. The same on every floor. */
const WINGS = [
  'audit',
  'tenants',
  'billing',
  'users',
  'speech',
  'applications',
  'session',
  'carriers',
  'calls',
  'conversations',
  'runs',
  'devices',
  'routing',
  'alerts',
  'health',
  'system',
]

/** Folders below and above the wings of each floor. Files beside the folders are above everything. */
const FLOORS: Record<string, string[]> = {
  contract: ['wire', ...WINGS],
  server: [
    'errors',
    'parts',
    'tracing',
    'secrets',
    'db',
    'outbound',
    'audio',
    'live',
    'talk',
    'stores',
    'config',
    'sms-modules',
    'http',
    'audit',
    'imports',
    'selections',
    ...WINGS.slice(1),
    'start',
  ],
  console: ['ui', 'lib', ...WINGS, 'frame'],
}

/** `packages/server/src/calls/traces.ts` → server, calls. */
function place(file: string) {
  const [, floor, , ...rest] = file.split('/')
  return { floor: floor!, folder: rest.length > 1 ? rest[0]! : 'top' }
}

function height(file: string) {
  const { floor, folder } = place(file)
  return [...FLOORS[floor]!, 'top'].indexOf(folder)
}

const imports = (file: string, text = read(file)) =>
  [...text.matchAll(/(?:from|import\(?) ?'(\.[^']+)'/g)]
    .map((m) => relative('.', join(dirname(file), m[1]!)))
    .flatMap((to) => [to, `${to}.ts`, `${to}.tsx`].filter((f) => /\.tsx?$/.test(f)))
    .filter((to) => existsSync(to))

const STORES = 'packages/server/src/stores/'
const isOfStores = (file: string) => file.startsWith(STORES)
/** `stores/calls/files/day.ts` → calls. */
const roomOfStores = (file: string) => file.slice(STORES.length).split('/')[0]!
/** Engines that keep records: `stores/calls/files/day.ts` → files. */
const ENGINES = ['files', 'clickhouse', 'influx', 'jaeger', 'homer']
const engineOf = (file: string) =>
  dirname(file.slice(STORES.length))
    .split('/')
    .find((name) => ENGINES.includes(name))

/** The packages that a file imports, by name. */
const packagesOf = (file: string, text = read(file)) =>
  [...text.matchAll(/(?:^(?:import|export|}) ?(?:[^'\n]* from )?|import\()'([^.'][^']*)'/gm)]
    .map((m) => m[1]!)
    .filter((name) => !/^(?:node|virtual):/.test(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))

/** Which file of the contract a group of the API is from: `tenants/api-keys`. */
const contract = globSync('packages/contract/src/*/**/*.ts').filter((f) => !f.includes('.test.'))
const roomOf = new Map<string, string>()
for (const file of contract) {
  const exported = Object.values(await import(/* @vite-ignore */ `./${file}`))
  for (const [group, endpoints] of Object.entries(api))
    if (exported.includes(endpoints))
      roomOf.set(group, file.replace(/^packages\/contract\/src\/|\.ts$/g, ''))
}

describe('the house', () => {
  it.each(Object.keys(FLOORS))('has every wing on the floor %s, and no other folder', (floor) => {
    const folders = new Set(
      sources.filter((f) => f.startsWith(`packages/${floor}/`)).map((f) => place(f).folder),
    )
    folders.delete('top')
    expect([...folders].filter((f) => !FLOORS[floor]!.includes(f))).toEqual([])
    expect(WINGS.filter((w) => !folders.has(w))).toEqual([])
  })

  it.each(Object.keys(api))('keeps %s in the same wing on contract and server', (group) => {
    const [wing, room] = roomOf.get(group)!.split('/')
    const files = globSync(`packages/server/src/${wing}/**/*.ts`)
    const routes = files.filter(
      (f) =>
        (f.endsWith(`/${room}.ts`) ||
          f.endsWith(`/${room}/routes.ts`) ||
          (room === wing && f.endsWith(`src/${wing}/routes.ts`))) &&
        read(f).includes('Handlers<'),
    )
    expect(routes).toHaveLength(1)
    expect(room).toMatch(new RegExp(`${kebab(group).replace(/^(?:account|provider)-/, '')}$`))
  })

  it('imports only downwards', () => {
    const up = sources.flatMap((file) =>
      imports(file)
        .filter((to) => place(to).floor === place(file).floor && height(to) > height(file))
        .map((to) => `${file} → ${to}`),
    )
    expect(up).toEqual([])
  })

  it('keeps the engines of stores apart', () => {
    const wrong = sources.filter(isOfStores).flatMap((file) => {
      const [engine, room] = [engineOf(file), roomOfStores(file)]
      return imports(file)
        .filter(isOfStores)
        .filter((to) => {
          const [other, otherRoom] = [engineOf(to), roomOfStores(to)]
          if (room === 'kit') return otherRoom !== 'kit'
          // what its stores share knows none of them
          if (room === 'clickhouse') return other !== undefined && otherRoom !== 'clickhouse'
          if (engine) return other !== undefined && other !== engine
          // what opens a store knows no more of its engine; what moves records between engines reads their files
          return (
            other !== undefined && !/^(?:copy|recover)$/.test(room) && !to.endsWith('/store.ts')
          )
        })
        .map((to) => `${file} → ${to}`)
    })
    expect(wrong).toEqual([])
  })

  it('names the same parts of engines alike', () => {
    const files = sources.filter((f) => isOfStores(f) && engineOf(f))
    const engines = new Set(files.map(dirname).filter((d) => !d.endsWith('/stores/clickhouse')))
    expect(engines.size).toBeGreaterThan(9)
    expect([...engines].filter((d) => !existsSync(join(d, 'store.ts')))).toEqual([])
    const threads = files.flatMap((f) =>
      [...read(f).matchAll(/new URL\('\.\/([^']+)'/g)].map((m) => m[1]!),
    )
    expect([...new Set(threads)].sort()).toEqual([
      'reader-thread.ts',
      'thread.ts',
      'writer-thread.ts',
    ])
    const told = files.filter((f) => new RegExp(`/(?:${ENGINES.join('|')})-[^/]*$`).test(f))
    expect(told).toEqual([])
  })

  it('has no circles', () => {
    const all = [
      ...sources,
      ...globSync('{scripts,e2e,packages/*/test,packages/{client,config,cli}/src}/**/*.ts'),
      ...globSync('packages/*/*.ts'),
    ]
    const uses = new Map(all.map((file) => [file, imports(file)]))
    const done = new Set<string>()
    const circles: string[][] = []
    const walk = (file: string, path: string[]) => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file])
      else if (!done.has(file)) {
        for (const to of uses.get(file) ?? []) walk(to, [...path, file])
        done.add(file)
      }
    }
    for (const file of all) walk(file, [])
    expect(circles).toEqual([])
  })

  it('has no support of tests among the sources of the product', () => {
    const support = sources.filter(
      (f) =>
        /from '(?:vitest|[^']*\/test\/)/.test(read(f)) ||
        /(?:^|\/)(?:test-(?!result|cases)|stand-in)/.test(f.split('/src/')[1]!),
    )
    expect(support).toEqual([])
  })

  it.each(['contract', 'server', 'console', 'client', 'config', 'cli'])(
    'declares what %s imports',
    (floor) => {
      const manifest = JSON.parse(read(`packages/${floor}/package.json`))
      const forTests = { ...manifest.devDependencies, ...root.devDependencies }
      const undeclared = globSync(`packages/${floor}/{src,test}/**/*.{ts,tsx}`).flatMap((file) => {
        const isTest = file.includes('.test.') || file.includes('/test/')
        const declared = { ...manifest.dependencies, ...(isTest && forTests) }
        return packagesOf(file).filter((name) => name !== manifest.name && !(name in declared))
      })
      expect([...new Set(undeclared)]).toEqual([])
    },
  )

  it('keeps the floors apart', () => {
    const wrong = sources.filter((file) => {
      const text = read(file)
      if (file.startsWith('packages/contract/')) return /from '(?!\.|zod')/.test(text)
      if (file.startsWith('packages/console/'))
        // the whole contract in one object would be in every chunk
        return /@switchroom\/server|import \{[^}]*\bapi\b[^}]*\} from '@switchroom\/contract'/.test(
          text,
        )
      return /@switchroom\/console/.test(text)
    })
    expect(wrong).toEqual([])
  })

  it('shows lists, the frame and public pages without the code of forms and popups', () => {
    const late = /^(?:@base-ui\/react|@tanstack\/react-form|@dnd-kit\/.*|libphonenumber-js)$/
    const routes = globSync('packages/console/src/**/*routes.{ts,tsx}')
    const screens = routes
      .flatMap((file) => imports(file))
      .filter((file) =>
        /\/list\.|\/dashboard\.|\/frame\/|\/session\/(?!security|.*settings)/.test(file),
      )
    expect(screens.length).toBeGreaterThan(20)
    // how each file is reached; grows as it is read
    const paths = new Map(screens.map((file) => [file, file]))
    const found: string[] = []
    for (const [file, path] of paths) {
      const text = read(file).replace(/import type [^']*'[^']*'|import\('[^']*'\)/g, '')
      for (const to of imports(file, text)) if (!paths.has(to)) paths.set(to, `${path} → ${to}`)
      for (const name of packagesOf(file, text))
        if (late.test(name)) found.push(`${path} → ${name}`)
    }
    expect(found).toEqual([])
  })

  it.each(Object.entries(THING_PAGES))(
    'has the list of each %s in the menu and in first.ts',
    (_, page) => {
      const list = page.split('/$')[0]!
      const lacking = ['frame/menu.ts', 'first.ts'].filter(
        (file) => !read(`packages/console/src/${file}`).includes(`'${list}`),
      )
      expect(lacking).toEqual([])
    },
  )

  // by the indentation of a component's or hook's own statements, which Biome keeps
  it('sets no state and writes no ref while it renders (docs/adr/068-things-and-react.md)', () => {
    const found = sources
      .filter((f) => f.startsWith('packages/console/'))
      .flatMap((file) => {
        const lines = read(file).split('\n')
        const made = (pattern: RegExp) => [...read(file).matchAll(pattern)].map((m) => m[1]!)
        const setters = made(/\[\w+, (set\w+)\] = useState/g).map((name) => `${name}(`)
        const refs = made(/const (\w+) = useRef\b/g).map((name) => `${name}.current = `)
        return lines.flatMap((line, i) => {
          const [, indent, statement = ''] = /^( {2,4})(?:if \(.*\) )?(\w.*)$/.exec(line) ?? []
          if (![...setters, ...refs].some((use) => statement.startsWith(use))) return []
          const outer = lines.slice(0, i).findLast((before) => /^ {0,2}\S/.test(before)) ?? ''
          const isRendering = indent === '  ' ? true : /^ {2}(?:if \(|\)(?: \{)?$)/.test(outer)
          return isRendering ? [`${file}: ${statement}`] : []
        })
      })
    // what unsaved changes of a form are based on, which is known once it is there
    const base = ['base.current = stored', 'formRef.current = form']
    expect(found).toEqual(
      base.map((write) => `${join('packages/console/src/lib/form.tsx')}: ${write}`),
    )
  })

  it('does nothing on the console by a class name or a position: by a ref, a data attribute or a role', () => {
    const byClass =
      /\b(?:querySelector(?:All)?|closest|matches)(?:<[^>()]*>)?\(\s*(['"`])[^'"`]*?(?:^|[\s,>+~(:\]\w])?\.[a-z][\w-]*|\bclassList\b|\bgetElementsByClassName\b/
    const byPosition =
      /\.children\b(?=\[|\])|\[\.\.\.[\w.]+\.children\]|\b(?:first|last)ElementChild\b|\b(?:next|previous)ElementSibling\b|\bchildNodes\b/
    const found = globSync('packages/console/src/**/*.{ts,tsx,css}')
      .filter((file) => !file.includes('.test.'))
      .filter((file) =>
        file.endsWith('.css')
          ? /:nth-(?:last-)?(?:child|of-type)/.test(read(file))
          : byClass.test(read(file)) || byPosition.test(read(file)),
      )
    expect(found).toEqual([])
  })

  it('knows a stock server in one place of the console', () => {
    const elsewhere = globSync('packages/console/src/**/*.{ts,tsx,css}').filter(
      (file) =>
        !file.startsWith('packages/console/src/lib/stock/') && !file.endsWith('/lib/api.ts'),
    )
    const told = elsewhere.filter((file) => /stock/i.test(read(file).replace('lib/stock/', '')))
    expect(told).toEqual([])
  })

  // "custom" is nobody's name but a word; other wings speak of clouds, and of Microsoft Teams
  it('names a speech vendor in no file but its own', () => {
    const ofSpeech = sources.filter(
      (f) => /\/(?:speech|applications|runs)[/.]/.test(f) && !f.includes('/speech/vendors/'),
    )
    const named = (Object.values(vendors) as Vendor[]).flatMap(({ id, name, named }) => {
      const told = named
        ? `=== '${id}'|'${id}:'`
        : `['"\`]${id}(?![\\w-])|^ *${id}:|\\b${name}\\b(?! Teams)`
      const it = new RegExp(`vendors\\.${id}\\b|${told}`, 'm')
      return ofSpeech.filter((f) => !f.includes(id) && it.test(read(f))).map((f) => `${id}: ${f}`)
    })
    expect(named).toEqual([])
  })

  it('has one endpoint per method and path, and a shape for every parameter', () => {
    const all = Object.values(api).flatMap((g) => Object.values(g as Record<string, Endpoint>))
    const keys = all.map((e) => `${e.method} ${e.path}`)
    expect(keys.filter((k, i) => keys.indexOf(k) !== i)).toEqual([])
    for (const e of all) {
      const named = [...e.path.matchAll(/:(\w+)/g)].map((m) => m[1]!)
      expect(Object.keys(e.params?.shape ?? {}).sort(), e.path).toEqual(named.sort())
    }
  })
})

/** Variables of the platform's other components, of the command line, and of tests, that prose names. */
const OTHERS_READ = [
  'JAMBONZ_RECORD_WS_BASE_URL',
  'OTEL_EXPORTER_COLLECTOR_URL',
  'OTEL_EXPORTER_JAEGER_ENDPOINT',
  'OTEL_EXPORTER_ZIPKIN_URL',
  'SWITCHROOM_API_KEY',
  'SWITCHROOM_TRUST',
  'SWITCHROOM_URL',
]

describe('its prose', () => {
  const files = ['README.md', 'AGENTS.md', 'docs/performance.md', ...globSync('docs/guides/*.md')]
  const prose = files.map((f) => ({ f, text: read(f) }))

  it.each(prose)('$f names only scripts and paths that exist', ({ text }) => {
    const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map((m) => m[1]!)
    expect(scripts.filter((s) => !(s in root.scripts))).toEqual([])
    const paths = [...text.matchAll(/`((?:packages|scripts|e2e|docs|deploy)\/[^`*<>{}…]+)`/g)].map(
      (m) => m[1]!,
    )
    expect(paths.filter((p) => !existsSync(p))).toEqual([])
  })

  const everywhere = [...files, 'SECURITY.md', ...globSync('docs/*.md')]
  it.each([...new Set(everywhere)])('%s links to what exists, headings included', (file) => {
    const anchors = (text: string) =>
      [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
        title!
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      )
    const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
    const broken = links.filter(([, path, anchor]) => {
      const target = path ? join(dirname(file), path) : file
      return !existsSync(target) || (anchor && !anchors(read(target)).includes(anchor))
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  it.each(prose)('$f names only environment variables that are read', ({ text }) => {
    const named = [...text.matchAll(/\b(?:SWITCHROOM|JAMBONES|JAMBONZ|OTEL)_[A-Z0-9_]*[A-Z0-9]\b/g)]
    const unread = named.map(([name]) => name).filter((n) => !(n in Env.shape))
    expect(unread.filter((name) => !OTHERS_READ.includes(name))).toEqual([])
  })

  it('has the guide to environment variables that "npm run docs" writes', () => {
    expect(read('docs/guides/environment.md')).toBe(environmentGuide())
    const listed = SECTIONS.flatMap(({ variables }) => Object.keys(variables))
    expect(listed.sort()).toEqual(Object.keys(Env.shape).sort())
  })

  it('reads the environment in one place of the server', () => {
    const of = (file: string) => [...read(file).matchAll(/process\.env\b(?:\.(\w+))?/g)]
    const reading = sources.filter((f) => f.startsWith('packages/server/') && of(f).length > 0)
    expect(reading.map((f) => f.slice('packages/server/src/'.length)).sort()).toEqual([
      'health/doctor/routes.ts', // finds what is set and nothing reads
      'main.ts', // readConfig
      'start/errors.ts', // names what is set
      'stores/kit/failure-log.ts', // threads have no config
      'system/getting-started/connect.ts', // tries it with a platform's variables in place of some
    ])
    const direct = reading.flatMap((f) => of(f).flatMap(([, name]) => name ?? []))
    expect(direct.filter((name) => !(name in Env.shape))).toEqual([])
  })

  it('answers alike whatever the language of its machine', () => {
    const call =
      /\.localeCompare\((?:[^()]|\([^()]*\))*\)|\.toLocale\w+\([^)]*\)|\bIntl\.\w+\([^)]*\)/g
    const found = sources
      .filter((f) => /^packages\/(?:server|contract)\//.test(f))
      .flatMap((f) => [...read(f).matchAll(call)].map(([text]) => `${f}: ${text}`))
    expect(found.length).toBeGreaterThan(20)
    const named = /['"]en\b|\b(?:LOCALE|locale|language|code)\b/
    expect(found.filter((text) => !named.test(text.slice(text.indexOf(': '))))).toEqual([])
  })

  it('says how the tests are run, as CI runs them', () => {
    const command = 'npm ci && npm test'
    expect(read('README.md')).toContain(command)
    expect(read('.ci/run')).toContain(command)
  })
})

/** Below the wings, where the wall clock is right, and why. What lasts is measured by `performance.now()`. */
const WALL_CLOCK: Record<string, string> = {
  'db/ascending-uuids.ts': 'such UUIDs begin with the time of day',
  'db/clock.ts': 'where the clock that never jumps begins',
  'parts/registry.ts': 'shows when a part changed',
  'http/api-key.ts': 'a key expires at a time of day',
  'http/creations.ts': 'keys are kept for a day, across processes',
  'http/latest-calls.ts': 'days are of the calendar',
  'http/limits.ts': 'a quota is of a day of the calendar',
  'http/password.ts': 'counts per hour of the clock',
  'http/request-counts.ts': 'processes count in the same windows',
  'http/tokens.ts': 'a token expires at a time of day',
  'live/hourly.ts': 'counts per hour of the clock',
  'live/redis-calls.ts': 'the platform writes such times',
  'live/redis-devices.ts': 'the platform writes such times',
  'live/redis-state.ts': 'the platform writes such times',
  'stores/kit/batch-spool.ts': 'processes share the times of files',
  'stores/sip/homer/store.ts': 'captures are of a time of day',
  'stores/sip/recent-invites.ts': 'a call is waited for since a time of day',
  'stores/calls/clickhouse/calls.ts': 'retention is by the time of records',
  'stores/calls/clickhouse/writer-thread.ts': 'retention is by the time of records',
  'stores/clickhouse/intake.ts': 'of two values of a field the later counts, across processes',
  'stores/clickhouse/keep-sums.ts': 'retention is by the time of records',
  'stores/voice/clickhouse/store.ts': 'retention is by the time of records',
  'stores/calls/files/maintenance.ts': 'retention is by the time of records',
  'stores/calls/files/reader-thread.ts': 'retention is by the time of records',
  'stores/recordings/folder.ts': 'retention is by the time of files',
  'stores/recordings/spool.ts': 'processes share the times of files',
  'stores/kit/segment-files.ts': 'files are named by when they begin',
  'stores/traces/files/segment.ts': 'traces are quiet since a time of day, also across processes',
  'stores/voice/files/days.ts': 'retention is by the time of records',
  'stores/voice/keeper.ts': 'traces are quiet since a time of day, also across processes',
}

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((f) => f && existsSync(f) && f !== 'house.test.ts' && !/\.(png|webp|woff2|ico)$/.test(f))

/** Words that stand in a comment's beginning in place of the thing it is about: in a hover there is nothing before. */
const NO_SUBJECT = /^(?:What|Whether|Of|Where|As|Its)\b/

/** The first lines of the comments of a file, each with its number. */
function commentsIn(text: string) {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.flatMap((line, i) => {
    const isFirst = (mark: string) => !(lines[i - 1] ?? '').startsWith(mark)
    const [, told] =
      /^\/\*\*? (.+)$/.exec(line) ??
      (lines[i - 1] === '/**' ? /^\* (.+)$/.exec(line) : undefined) ??
      (isFirst('//') ? /^\/\/ (.+)$/.exec(line) : undefined) ??
      []
    return told ? [{ line: i + 1, told }] : []
  })
}

/** Exported names that say nothing at the place that imports them. */
const VAGUE_EXPORT =
  /^export (?:(?:async )?function\*?|const|let|class|type|interface|enum) (?:its|whole|usual|open|of|how|who)\b|^export (?:type )?\{[^}]*\b(?:its|whole|usual|open|of|how|who)(?= *[,}])/m

describe('its words', () => {
  const sources = tracked.filter((f) => /\.tsx?$/.test(f))

  it('begin a comment with the thing it is about, or with what that does', () => {
    const found = sources.flatMap((f) =>
      commentsIn(read(f))
        .filter(({ told }) => NO_SUBJECT.test(told))
        .map(({ line, told }) => `${f}:${line} ${told}`),
    )
    expect(found).toEqual([])
  })

  it('begin the summary of an endpoint in the same way', () => {
    const summaries = Object.values(api).flatMap((group) =>
      Object.values(group as Record<string, Endpoint>).map(({ summary }) => summary),
    )
    expect(summaries.filter((summary) => NO_SUBJECT.test(summary))).toEqual([])
  })

  it('name what is exported by what it is', () => {
    expect(sources.filter((f) => VAGUE_EXPORT.test(read(f)))).toEqual([])
  })
})

describe('its files', () => {
  it('carry no path of a machine and no registry', () => {
    const machine = /(?:^|[\s"'`(])\/(?:work|root|farm|home)\/|registry\.npmjs|"resolved": "http/
    expect(tracked.filter((f) => machine.test(read(f)))).toEqual([])
  })

  it('let npm install on any Node: the lockfile names no engines ("npm run lock" takes them out)', () => {
    expect(read('package-lock.json')).not.toContain('"engines"')
  })

  it('find every guard that npm run breaks takes away (scripts/breaks/guards.ts)', () => {
    const guards = findGuards({ all: true })
    expect(guards.length).toBeGreaterThan(200)
    // each exception is for one guard that exists
    expect(guards.length - findGuards().length).toBe(REFUSED_TWICE.length)
    const why = 'throw a refusal where it is made, or teach scripts/breaks/guards.ts to find it'
    expect(uncoveredRefusals(guards), why).toEqual([])
    // every file that limits its queries to a caller
    const limiting = new RegExp(
      `import [^;]*?\\b(?:${conditions().join('|')})\\b[^;]*?/tenancy.ts'`,
    )
    const files = sources.filter((file) => limiting.test(read(file)))
    expect(files.length).toBeGreaterThan(15)
    expect(files.filter((file) => !guards.some((g) => g.file === file))).toEqual([])
  })

  it('measure what lasts by a clock that never jumps', () => {
    const below = FLOORS.server!.filter((name) => !WINGS.includes(name))
    const asking = sources
      .filter((f) => f.startsWith('packages/server/') && below.includes(place(f).folder))
      .filter((f) => /\bDate\.now\b/.test(read(f)))
      .map((f) => f.slice('packages/server/src/'.length))
    const why = 'use performance.now() or db/clock.ts, or say in WALL_CLOCK why not'
    expect(
      asking.filter((f) => !(f in WALL_CLOCK)),
      why,
    ).toEqual([])
    expect(Object.keys(WALL_CLOCK).filter((f) => !asking.includes(f))).toEqual([])
  })

  it('hold the place of every deliberate break (scripts/breaks)', () => {
    const places = ({ file, find }: Break) =>
      [...read(file).matchAll(new RegExp(find instanceof RegExp ? find : RegExp.escape(find), 'g'))]
        .length
    const lost = breaks.filter((b) => !existsSync(b.file) || places(b) !== 1)
    expect(lost.map((b) => b.name)).toEqual([])
  })

  it('are there, where tests that last are named', () => {
    const tests = tracked.filter((f) => /\.(?:test|e2e)\.ts$/.test(f))
    const isThere = (name: string) => tests.some((f) => `/${f}`.endsWith(name))
    expect(LONGEST.filter((name) => !isThere(name))).toEqual([])
    expect(LONG.filter((name) => !isThere(name))).toEqual([])
  })

  it('open a database if they are named as running on one of both', () => {
    const files = Object.keys(ONCE).map((name) => `packages/server/test/${name}`)
    const opens = (f: string) =>
      existsSync(f) && /from '\.[^']*\/(?:app|hostile)\.ts'/.test(read(f))
    expect(files.filter((f) => !opens(f))).toEqual([])
  })

  it('open no database if they are named as tests of files', () => {
    const opens = (f: string) =>
      !existsSync(f) ||
      /from '\.[^']*\/test\/(?:app|clickhouse|database|hostile)\.ts'/.test(read(f))
    expect(IN_FILES.filter(opens)).toEqual([])
  })

  it('switch no test and no type off', () => {
    const code = tracked.filter((f) => /\.tsx?$/.test(f))
    const off = /\b(?:it|test|describe)\.(?:only|skip|todo)\(|@ts-(?:ignore|nocheck)|\bas any\b/
    expect(code.filter((f) => off.test(read(f)))).toEqual([])
  })
})

/** Reasons why the verdict of a test can depend on how busy the machine is, or on chance. */
const BY_CHANCE: Record<string, (text: string) => boolean> = {
  'measures time (count steps instead)': (text) => /\bperformance\.now\b/.test(text),
  'measures time by Date.now (count steps instead)': (text) =>
    [...text.matchAll(/\b(\w+) = Date\.now\(\)/g)].some(([, began]) =>
      new RegExp(`\\bDate\\.now\\(\\) - ${began}\\b`).test(text),
    ),
  'sleeps (wait for a condition, an event or a promise)': (text) =>
    /\bsetTimeout\b[^}]*\} from '(?:node:)?timers\/promises'|\bnew Promise\b(?:(?!\n\n)[^;]){0,120}\bsetTimeout\(|\bwaitForTimeout\(/.test(
      text,
    ),
  'waits for less than a minute (expect.poll, or a timeout of 60_000)': (text) =>
    /\bvi\.wait(?:For|Until)\((?!(?:(?!\n\n)[^;])*(?:timeout: |, | {2})60_000)|\bpoll\((?:(?!\n\n)[^;]){0,200}?\btimeout: (?:\d{1,3}|\d_\d{3}|[1-5]\d_\d{3})\b/.test(
      text,
    ),
  'draws lots (from a seed that is printed, or not at all)': (text) =>
    /\bMath\.random\b/.test(text),
  'hopes not to find what an id, a time or a hash may contain': (text) =>
    [
      ...text.matchAll(
        /\bnot\s*\.to(?:Contain|Match)\(\s*(?:\/(.+?)\/[a-z]*|(['"`])(.*?)\2)[,)\s]/g,
      ),
    ]
      .flatMap(([, pattern, , word]) => pattern?.split('|') ?? [word!])
      .some((word) => /^[\da-f]{3,9}$/.test(word) && /\d/.test(word)),
}

/** Files other than `*.timing.test.ts` that may do so, and why. */
const MAY_DEPEND: Record<string, string> = {
  'e2e/wait.ts': 'other processes tell of nothing: the one place where stories let time pass',
  'packages/server/test/endpoints/fuzz.test.ts':
    'a request that hangs is told by a limit of a minute',
  'packages/server/test/slow-reads.ts': 'makes a race likely; without it, nothing fails',
}

describe('its tests', () => {
  const files = tracked.filter(
    (f) =>
      !f.endsWith('.timing.test.ts') &&
      (/\.test\.tsx?$|^e2e\/.*\.ts$/.test(f) || /^packages\/server\/test\/.*\.ts$/.test(f)),
  )

  it.each(Object.keys(BY_CHANCE))('have none that %s', (what) => {
    const found = files.filter((f) => BY_CHANCE[what]!(read(f)))
    expect(found.filter((f) => !(f in MAY_DEPEND))).toEqual([])
  })

  it('need each exception', () => {
    const needless = Object.keys(MAY_DEPEND).filter(
      (f) => !files.includes(f) || !Object.values(BY_CHANCE).some((isFound) => isFound(read(f))),
    )
    expect(needless).toEqual([])
  })
})
