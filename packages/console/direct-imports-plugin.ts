import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ESTree } from 'rolldown/utils'
import { type Plugin, parseAst, type Rolldown } from 'vite'

const ENDPOINTS = fileURLToPath(new URL('src/lib/endpoints.ts', import.meta.url))
const BARRELS =
  /^(?:lucide-react|@switchroom\/contract|@tanstack\/(?:react-(?:query|router)|(?:query|router)-core))$/
/** Our own, and those of libraries that pass on what another of them exports. */
const IMPORTERS = /\.tsx?$|\/@tanstack\/react-(?:query|router)\/.*\.js$/
const isIndex = (source: string) => BARRELS.test(source) || source.endsWith('/endpoints')

/** The module that a name comes from, and its name there. */
type Origin = { id: string; name: string }
/** Names of a module that come from other modules, and the modules of which it exports everything. */
type Exports = { own: Set<string>; from: Map<string, Origin>; all: string[] }

const nameOf = (node: ESTree.ModuleExportName) => ('name' in node ? node.name : node.value)

/**
 * Imports what an index exports from the module that has it: `import X from '…/icons/x.mjs'` for
 * `import { X } from 'lucide-react'`. The graph of modules then tells what a screen needs, by which `chunks.ts`
 * divides the scripts.
 */
export function directImportsPlugin(): Plugin {
  const read = new Map<string, Promise<Exports>>()

  async function exportsOf(this: Rolldown.PluginContext, id: string): Promise<Exports> {
    const exports: Exports = { own: new Set(), from: new Map(), all: [] }
    const imported = new Map<string, Origin>()
    const resolved = async (source: string) => (await this.resolve(source, id))?.id ?? ''
    const code = await readFile(id, 'utf8')
    for (const node of parseAst(code, { lang: id.endsWith('.ts') ? 'ts' : 'js' }).body) {
      if (node.type === 'ImportDeclaration') {
        const from = await resolved(node.source.value)
        for (const one of node.specifiers)
          if (one.type === 'ImportSpecifier')
            imported.set(one.local.name, { id: from, name: nameOf(one.imported) })
      } else if (node.type === 'ExportAllDeclaration' && !node.exported) {
        exports.all.push(await resolved(node.source.value))
      } else if (node.type === 'ExportNamedDeclaration') {
        const from = node.source && (await resolved(node.source.value))
        for (const { local, exported } of node.specifiers) {
          const origin = from ? { id: from, name: nameOf(local) } : imported.get(nameOf(local))
          if (origin) exports.from.set(nameOf(exported), origin)
          else exports.own.add(nameOf(exported))
        }
        const { declaration } = node
        if (declaration?.type === 'VariableDeclaration') {
          for (const { id } of declaration.declarations)
            if (id.type === 'Identifier') exports.own.add(id.name)
        } else if (declaration && 'id' in declaration && declaration.id?.type === 'Identifier')
          exports.own.add(declaration.id.name)
      }
    }
    return exports
  }

  /** The module that declares what another exports by this name. */
  async function originOf(
    this: Rolldown.PluginContext,
    { id, name }: Origin,
  ): Promise<Origin | undefined> {
    if (name === 'default') return { id, name }
    let reading = read.get(id)
    if (!reading) {
      reading = exportsOf.call(this, id)
      read.set(id, reading)
    }
    const { own, from, all } = await reading
    if (own.has(name)) return { id, name }
    const origin = from.get(name)
    if (origin) return originOf.call(this, origin)
    for (const other of all) {
      const found = await originOf.call(this, { id: other, name })
      if (found) return found
    }
    return undefined
  }

  return {
    name: 'direct-imports',
    apply: 'build',
    enforce: 'post',
    async transform(code, id) {
      if (!IMPORTERS.test(id)) return null
      let changed = ''
      let done = 0
      for (const node of this.parse(code).body) {
        if (node.type !== 'ImportDeclaration' || !isIndex(node.source.value)) continue
        const to = (await this.resolve(node.source.value, id))?.id ?? ''
        const lines: string[] = []
        for (const one of node.specifiers) {
          if (one.type !== 'ImportSpecifier') return null
          const name = nameOf(one.imported)
          const origin =
            to === ENDPOINTS
              ? { id: `virtual:endpoints/${name}`, name: 'default' }
              : await originOf.call(this, { id: to, name })
          if (!origin) return this.error(`Found no module with ${name} of ${to}`)
          lines.push(
            `import { ${origin.name} as ${one.local.name} } from ${JSON.stringify(origin.id)};`,
          )
        }
        changed += code.slice(done, node.start) + lines.join('')
        done = node.end
      }
      return done > 0 ? { code: changed + code.slice(done), map: null } : null
    },
  }
}
