import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

const SRC = join(import.meta.dirname, 'src')
const FIRST = join(SRC, 'first.ts')
const SCHEMAS = join(import.meta.dirname, '../contract/src/wire/parse-request.ts')

/** A route, to the end of its braces by their indentation. */
const ROUTE = /^( *)(?:const \w+ = )?createRoute\(\{\n([\s\S]*?)\n\1\}\)/gm

/** The paths of every wing's `routes.ts` with the screen each loads, as `['/internal/users', 'users/list']`. */
async function screensOfRoutes() {
  const files = await Array.fromAsync(glob('*/**/*routes.{ts,tsx}', { cwd: SRC }))
  return (await Promise.all(files.sort().map(screensOfFile))).flat()
}

async function screensOfFile(file: string) {
  const text = await readFile(join(SRC, file), 'utf8')
  const routes = [...text.matchAll(ROUTE)].flatMap(([, , route = '']) => {
    const inside = /\.\.\.at\('([^']+)'\)/.exec(route)?.[1]
    const path = inside ? `/internal${inside}` : /\bpath: '([^']+)'/.exec(route)?.[1]
    const screen = /\bcomponent: screen\(\(\) => import\('([^']+)'\)/.exec(route)?.[1]
    if (!path || !screen) return []
    return [[path, join(dirname(file), screen)] as const]
  })
  if (routes.length !== text.split(' component: screen(').length - 1)
    throw new Error(`A route of ${file} is not written as this plugin reads them`)
  return routes
}

/**
 * Writes `screens.json`: for each path of the console, the scripts of its screen, and those that most next screens
 * need, or the first after a log-in. The server puts them into the page, so that browsers ask for them at once and not
 * after the scripts that would name them. `first` runs before all others.
 */
export function screensPlugin(): Plugin {
  return {
    name: 'screens',
    apply: 'build',
    // no other module imports it
    buildStart() {
      this.emitFile({ type: 'chunk', id: FIRST })
    },
    generateBundle: { order: 'post', handler: writeScreens },
  }
}

/** Modules that a screen loads late, and shows first, most likely. */
const PARTS: Record<string, string[]> = {
  'calls/call/call-page': ['calls/call/course', 'calls/call/conversation/conversation'],
}

async function writeScreens(
  this: Rolldown.PluginContext,
  _: unknown,
  bundle: Rolldown.OutputBundle,
) {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const of = (file: string) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(file))
    if (!chunk) throw new Error(`No chunk has ${file}`)
    return chunk
  }
  const ask = of(FIRST)
  const main = of(join(SRC, 'main.tsx'))
  const entry = scriptsOf([main, ask], bundle)
  const sheets = (scripts: string[]) => [
    ...new Set(
      scripts.flatMap((script) => {
        const chunk = bundle[script]
        return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : []
      }),
    ),
  ]
  const entrySheets = sheets(entry)
  const assets = Object.values(bundle).filter((file) => file.type === 'asset')
  // React shows a screen 300 ms after it began to wait for a style sheet, if the page lacks it
  const linkedSheets = (files: string[]) =>
    files
      .flatMap((file) => this.getModuleInfo(file)?.importedIds ?? [])
      .filter((id) => id.endsWith('.css?url'))
      .map((id) => {
        const file = id.slice(0, -'?url'.length)
        const asset = assets.find(({ originalFileNames }) => originalFileNames.includes(file))
        if (!asset) throw new Error(`No style sheet is made of ${file}`)
        return asset.fileName
      })
  const frame = ['screens.tsx', 'frame/layout.tsx'].map((file) => of(join(SRC, file)))
  const screens = (await screensOfRoutes()).map(([path, file]) => {
    const scripts = scriptsOf(
      [...frame, ...[file, ...(PARTS[file] ?? [])].map((part) => of(join(SRC, `${part}.tsx`)))],
      bundle,
    )
    const own = [
      ...sheets(scripts).filter((sheet) => !entrySheets.includes(sheet)),
      ...linkedSheets([file, ...(PARTS[file] ?? [])].map((part) => join(SRC, `${part}.tsx`))),
    ]
    return [path, [...own, ...scripts.filter((script) => !entry.includes(script))]] as const
  })
  const first = [...entry, ...scriptsOf([...frame, of(join(SRC, 'lib/table.tsx'))], bundle)]
  const forms = [
    of(join(SRC, 'lib/form.tsx')),
    of(SCHEMAS),
    of(join(SRC, 'lib/delete-dialog-body.tsx')),
  ]
  const later = scriptsOf(forms, bundle).filter((script) => !first.includes(script))
  const logIn = scriptsOf([main, of(join(SRC, 'session/log-in.tsx'))], bundle)
  const loggedIn = scriptsOf([of(join(SRC, 'lib/log-in-calls.ts')), ...frame], bundle)
  const afterLogIn = loggedIn.filter((script) => !logIn.includes(script))
  const source = JSON.stringify(
    {
      first: ask.fileName,
      screens: Object.fromEntries([
        ...screens,
        ['/', logIn.filter((script) => !entry.includes(script))],
      ]),
      later,
      afterLogIn,
    },
    null,
    1,
  )
  this.emitFile({ type: 'asset', fileName: 'screens.json', source })
}

/** These chunks with all that they load at once. */
function scriptsOf(chunks: Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle) {
  const all = new Set(chunks.map(({ fileName }) => fileName))
  // grows as it is read
  for (const fileName of all) {
    const chunk = bundle[fileName]
    if (chunk?.type === 'chunk') for (const to of chunk.imports) all.add(to)
  }
  // an empty one is imported, but not written
  return [...all].filter((fileName) => fileName in bundle)
}
