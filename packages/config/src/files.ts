import { isRecord, t } from '@switchroom/contract'
import {
  type Alias,
  type Document,
  isAlias,
  isNode,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml'
import { KINDS, type Kind, kindOf } from './kinds.ts'
import { ConfigError, type Place, type Problem, refuse } from './problem.ts'
import type { Members } from './shapes.ts'
import { substitute, type Values } from './values.ts'

export type File = { name: string; text: string }

/** A thing as a file has it. */
export type Item = {
  kind: Kind
  value: Members
  /** Place of the item in its file, or of a member of it. */
  at: (path?: readonly PropertyKey[]) => Place
}

/** Things of a folder, by kind. A kind without a file keeps its things. */
export type Files = ReadonlyMap<string, Item[]>

export const MAX_BYTES = 8_000_000
const MAX_ALIASES = 100
const MAX_DEPTH = 100
const TOO_DEEP = t('Nested too deeply')
const ENDING = /\.ya?ml$/
/** Names of files with values for variables, which have no things. */
const VARIABLES = /(?:^|\.)vars\.ya?ml$/

/** True if a file of a folder holds configuration. */
export const isConfig = (name: string) => ENDING.test(name) && !VARIABLES.test(name)

/** A file of YAML: its value, and the line of each place in it. */
export type Parsed = {
  document: Document
  counter: LineCounter
  value: unknown
  lineOf: (at: number) => number
}

/** Reads YAML from an untrusted source. Throws its errors, with file and line. */
export function parse({ name, text }: File): Parsed {
  if (text.length > MAX_BYTES)
    throw configError(
      { file: name },
      t('The file is {size} MB; the limit is {most} MB', {
        size: Math.round(text.length / 1e6),
        most: MAX_BYTES / 1e6,
      }),
    )
  const counter = new LineCounter()
  const lineOf = (at: number) => counter.linePos(at).line || 1
  try {
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false })
    const [error] = document.errors
    if (error)
      throw configError({ file: name, line: lineOf(error.pos[0]) }, messageFor(error.message))
    const broken = brokenAlias(document)
    if (broken) throw configError({ file: name, line: lineOf(broken.alias.range![0]) }, broken.text)
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    if (isTooDeep(value)) throw new RangeError()
    return { document, counter, value, lineOf }
  } catch (error) {
    // the stack of the parser, or aliases of aliases
    if (!(error instanceof RangeError || error instanceof ReferenceError)) throw error
    const what = error instanceof RangeError ? TOO_DEEP : t('Too many aliases')
    throw configError({ file: name, line: 1 }, what)
  }
}

const configError = (place: Omit<Problem, 'text'>, text: string) =>
  new ConfigError([{ ...place, text }])

function messageFor(message: string) {
  if (message === 'Map keys must be unique') return t('Duplicate key')
  if (message.includes('multiple documents')) return t('The file has several documents')
  return message.includes('call stack') ? TOO_DEEP : message
}

/** Finds an alias of a node that is not there, or within the node it stands for. */
function brokenAlias(document: Document): { alias: Alias; text: string } | undefined {
  let found: { alias: Alias; text: string } | undefined
  const anchors = new Set<string>()
  visit(document, {
    Value: (_, { anchor }) => {
      if (anchor) anchors.add(anchor)
    },
    Alias: (_, alias, path) => {
      const name = { alias: alias.source }
      const isWithin = path.some(
        (node) => isNode(node) && 'anchor' in node && node.anchor === alias.source,
      )
      if (isWithin) found = { alias, text: t('*{alias} contains itself', name) }
      else if (!anchors.has(alias.source))
        found = { alias, text: t('No anchor &{alias} before *{alias}', name) }
      return found && visit.BREAK
    },
  })
  return found
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth > MAX_DEPTH || Object.values(value).some((inner) => isTooDeep(inner, depth + 1))
}

/** Reads variables: names with texts, numbers or booleans. */
export function readVariables(file: File): Values {
  const { value } = parse(file)
  if (value === null) return {}
  const place = { file: file.name, line: 1 }
  if (!isRecord(value)) throw configError(place, t('Expected names with values'))
  const other = Object.entries(value).find(([, inner]) => typeof inner === 'object')
  if (other)
    throw configError(
      place,
      t('{name} must be a text, a number, true or false', { name: other[0] }),
    )
  return value
}

/** Files before their variables are replaced, and the errors found so far. */
export type ParsedFiles = { items: Files; problems: readonly Problem[] }

/** The name of a file that has all kinds, each as a member. */
const ALL = 'configuration'

/** Reads files of configuration. */
export function parsedFiles(files: readonly File[]): ParsedFiles {
  const problems: Problem[] = []
  const items = new Map<string, Item[]>()
  const from = new Map<string, string>()
  const add = (file: File, name: string, parsed: () => Parsed, path: string[]) => {
    const kind = kindOf(name)
    const first = from.get(name)
    if (!kind) {
      const kinds = KINDS.map(({ file }) => file).join(', ')
      problems.push({
        file: file.name,
        text: t('Unknown kind. Known kinds: {kinds}', { kinds }),
      })
    } else if (first !== undefined)
      problems.push({
        file: file.name,
        text: t('{kind} is already defined in {file}', { kind: name, file: first }),
      })
    else {
      from.set(name, file.name)
      items.set(name, itemsIn(kind, file, parsed(), path))
    }
  }
  for (const file of files) {
    const name = file.name.replace(ENDING, '')
    try {
      if (name !== ALL) {
        add(file, name, () => parse(file), [])
        continue
      }
      const parsed = parse(file)
      if (!isRecord(parsed.value))
        throw configError({ file: file.name, line: 1 }, t('Expected kinds, each with a list'))
      for (const kind of Object.keys(parsed.value)) add(file, kind, () => parsed, [kind])
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
    }
  }
  return { items, problems }
}

/** Replaces the variables in files. Throws their errors, with file and line. */
export function replaceVariables({ items, problems }: ParsedFiles, values: Values): Files {
  const all = [...problems]
  const replaced = [...items].map(([kind, list]) => {
    const each = list.map(
      (item): Item => ({
        ...item,
        value: replacedIn(item.value, values, (path, name) =>
          all.push({
            ...item.at(path),
            text: t('Variable {name} is not set. Set it with --var or --vars', { name }),
            variable: name,
          }),
        ) as Members,
      }),
    )
    return [kind, each] as const
  })
  refuse(all)
  return new Map(replaced)
}

function itemsIn(kind: Kind, { name }: File, parsed: Parsed, prefix: string[]): Item[] {
  const { document, lineOf } = parsed
  const value = prefix.reduce<unknown>((node, key) => (node as Members)[key], parsed.value)
  const contents = prefix.length > 0 ? document.getIn(prefix, true) : document.contents
  const place = (path: readonly PropertyKey[]) => ({
    file: name,
    line: lineAt(document, [...prefix, ...path], lineOf),
  })
  // a file that was cut short deletes nothing
  if (value === null) {
    const where = prefix.length > 0 ? place([]) : { file: name }
    throw configError(where, t('Empty. Write [] if there are none'))
  }
  if (!Array.isArray(value) || !isSeq(contents)) throw configError(place([]), t('Expected a list'))
  return value.map((item: unknown, i) => {
    const at = (path: readonly PropertyKey[] = []) => place([i, ...path])
    if (!isRecord(item)) throw configError(at(), t('Expected an object with members such as name'))
    return { kind, value: item, at }
  })
}

/** Returns the line of a member, or of what it would be in. */
export function lineAt(
  document: Document,
  path: readonly PropertyKey[],
  lineOf: (at: number) => number,
) {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && !isAlias(node) && node.range) return lineOf(node.range[0])
  }
  return 1
}

type OnMissing = (path: PropertyKey[], name: string) => void
function replacedIn(
  value: unknown,
  values: Values,
  onMissing: OnMissing,
  path: PropertyKey[] = [],
): unknown {
  if (typeof value === 'string') return substitute(value, values, (name) => onMissing(path, name))
  if (Array.isArray(value))
    return value.map((inner, i) => replacedIn(inner, values, onMissing, [...path, i]))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      replacedIn(inner, values, onMissing, [...path, name]),
    ]),
  )
}
