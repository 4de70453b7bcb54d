import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'

const ROOT = join(import.meta.dirname, '..')
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

/** The names of a message's values, each once, sorted. */
export const valuesIn = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort()
