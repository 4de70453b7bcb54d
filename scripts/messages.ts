import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'

const ROOT = join(import.meta.dirname, '..')
/** Methods of a schema whose last argument is a message. */
const CHECKS = [
  ...['regex', 'refine', 'min', 'max', 'length', 'int', 'gt', 'gte', 'lt', 'lte', 'multipleOf'],
  ...['string', 'number', 'enum', 'email', 'url', 'literal', 'array', 'union', 'boolean'],
]
const TAGS = ['t', 'msg', 'plural', 'rich']

const IMPORTED =
  /import \{[^}]*\b(?:t|msg|plural|rich)\b[^}]*\} from '(?:@switchroom\/contract|[./\w-]*\/(?:text\.ts|rich))'/

export type Message = {
  file: string
  tag: string
  text: string
  /** The values it is given, where they are all named there. */
  given?: string[]
}

function namesOf(values: ESTree.Argument | undefined): { given?: string[] } {
  if (values && values.type !== 'ObjectExpression') return {}
  const names = (values?.properties ?? []).map((p) =>
    p.type === 'Property' && p.key.type === 'Identifier' ? p.key.name : undefined,
  )
  return names.every((name) => name !== undefined) ? { given: names } : {}
}

/** Every message of all packages, in the order of their files. Throws if one is no literal. */
export function messagesInSource(): Message[] {
  const files = globSync('packages/{config,console,contract,server}/src/**/*.{ts,tsx}', {
    cwd: ROOT,
  })
    .filter(
      (file) =>
        !/\.test\.tsx?$|\.d\.ts$|\/wire\/(?:text|from-server)\.ts$|\/ui\/rich\.tsx$/.test(file),
    )
    .sort()
  return files.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8')
    if (!IMPORTED.test(source)) return []
    const messages: Message[] = []
    const visitor = new Visitor({
      CallExpression({ callee, arguments: given }) {
        if (callee.type !== 'Identifier' || !TAGS.includes(callee.name)) return
        const [text, values] = callee.name === 'plural' ? given.slice(1) : given
        if (text?.type !== 'Literal' || typeof text.value !== 'string')
          throw new Error(`A message in ${file} is not a literal`)
        messages.push({ file, tag: callee.name, text: text.value, ...namesOf(values) })
      },
    })
    visitor.visit(parseSync(file, source).program)
    return messages
  })
}

/** Lists messages of schemas about a refused field that have no translation. */
export function untranslatedInSchemas(): string[] {
  const files = globSync('packages/contract/src/**/*.ts', { cwd: ROOT })
  return files
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => {
      const found: string[] = []
      const literal = (e: ESTree.Node | undefined) =>
        e?.type === 'Literal' && typeof e.value === 'string' && /^\p{Lu}\p{Ll}+ /u.test(e.value)
          ? found.push(`${file}: ${e.value}`)
          : 0
      const visitor = new Visitor({
        CallExpression({ callee, arguments: given }) {
          if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
          if (CHECKS.includes(callee.property.name)) literal(given.at(-1))
        },
        Property({ key, value }) {
          if (key.type === 'Identifier' && ['message', 'error'].includes(key.name)) literal(value)
        },
      })
      visitor.visit(parseSync(file, readFileSync(join(ROOT, file), 'utf8')).program)
      return found
    })
}

/** The names of a message's values, each once, sorted. */
export const valuesIn = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort()
