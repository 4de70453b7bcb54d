import { basename } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/**
 * Moves the bundler's own helpers, for which it writes a script, into the script that all others load first: a request
 * less for every page.
 */
export function runtimePlugin(): Plugin {
  return {
    name: 'runtime',
    apply: 'build',
    generateBundle: { order: 'pre', handler: moveRuntime },
  }
}

const IMPORT = /import\{([^}]*)\}from"\.\/rolldown-runtime-[\w-]+\.js";?/
const EXPORT = /export\{([^}]*)\};?\s*$/

/** `n as e,t` of an import or export, as `[n, e]` and `[t, t]`. */
const pairsOf = (names: string) =>
  names.split(',').map((one) => {
    const [from = '', to = from] = one.split(' as ')
    return [from, to] as const
  })
const moved = (name: string) => `__runtime_${name}`

function moveRuntime(this: Rolldown.PluginContext, _: unknown, bundle: Rolldown.OutputBundle) {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const runtime = chunks.find(({ name }) => name === 'rolldown-runtime')
  const first = chunks.find(({ name, moduleIds }) => name === 'first' && moduleIds.length > 1)
  if (!runtime || !first || !EXPORT.test(runtime.code) || !IMPORT.test(first.code))
    return this.error('The helpers of the bundler are not written as this plugin reads them')
  for (const chunk of chunks) {
    if (!chunk.imports.includes(runtime.fileName)) continue
    chunk.code = chunk.code.replace(IMPORT, (_, imported: string) =>
      chunk === first
        ? inlined(runtime.code, imported)
        : `import{${pairsOf(imported).map(([from, to]) => `${moved(from)} as ${to}`)}}from"./${basename(first.fileName)}";`,
    )
    if (chunk.code.includes(basename(runtime.fileName)))
      this.error(`${chunk.fileName} imports the helpers in another way`)
    const others = chunk.imports.filter((file) => file !== runtime.fileName)
    chunk.imports = chunk === first ? others : [...new Set([first.fileName, ...others])]
  }
  delete bundle[runtime.fileName]
}

/** The helpers in a scope of their own, exported, and under the names that the script has for them. */
function inlined(code: string, imported: string) {
  const exported = pairsOf(EXPORT.exec(code)?.[1] ?? '')
  const helpers = exported.map(([, name]) => moved(name))
  const body = code.replace(EXPORT, () => `return[${exported.map(([own]) => own)}]`)
  const own = pairsOf(imported).map(([from, to]) => `${to}=${moved(from)}`)
  return `const[${helpers}]=(()=>{${body}})(),${own};export{${helpers}};`
}
