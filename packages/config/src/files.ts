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
import { filled, type Values } from './values.ts'

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
const TOO_DEEP = t('it is nested too deep')
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
    throw wrong(
      { file: name },
      t('has {size} MB; a file may have {most}', {
        size: Math.round(text.length / 1e6),
        most: MAX_BYTES / 1e6,
      }),
    )
  const counter = new LineCounter()
  const lineOf = (at: number) => counter.linePos(at).line || 1
  try {
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false })
    const [error] = document.errors
    if (error) throw wrong({ file: name, line: lineOf(error.pos[0]) }, said(error.message))
    const broken = brokenAlias(document)
    if (broken) throw wrong({ file: name, line: lineOf(broken.alias.range![0]) }, broken.text)
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    if (isTooDeep(value)) throw new RangeError()
    return { document, counter, value, lineOf }
  } catch (error) {
    // the stack of the parser, or aliases of aliases
    if (!(error instanceof RangeError || error instanceof ReferenceError)) throw error
    const what = error instanceof RangeError ? TOO_DEEP : t('it has too many aliases')
    throw wrong({ file: name, line: 1 }, what)
  }
}

const wrong = (place: Omit<Problem, 'text'>, text: string) => new ConfigError([{ ...place, text }])

function said(message: string) {
  if (message === 'Map keys must be unique') return t('a member is named twice')
  if (message.includes('multiple documents')) return t('it has several documents')
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
        found = { alias, text: t('nothing before *{alias} has the anchor &{alias}', name) }
      return found && visit.BREAK
    },
  })
  return found
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth > MAX_DEPTH || Object.values(value).some((of) => isTooDeep(of, depth + 1))
}

/** Reads variables: names with texts, numbers or booleans. */
export function readVariables(file: File): Values {
  const { value } = parse(file)
  if (value === null) return {}
  const place = { file: file.name, line: 1 }
  if (!isRecord(value)) throw wrong(place, t('it must be names with values'))
  const other = Object.entries(value).find(([, of]) => typeof of === 'object')
  if (other)
    throw wrong(place, t('{name} must be a text, a number, true or false', { name: other[0] }))
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
      const kinds = KINDS.map((one) => one.file).join(', ')
      problems.push({
        file: file.name,
        text: t('there is no such kind of thing. There are {kinds}', { kinds }),
      })
    } else if (first !== undefined)
      problems.push({
        file: file.name,
        text: t('{kind} are in {file} already', { kind: name, file: first }),
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
        throw wrong({ file: file.name, line: 1 }, t('it must be kinds of things, each with a list'))
      for (const kind of Object.keys(parsed.value)) add(file, kind, () => parsed, [kind])
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
    }
  }
  return { items, problems }
}

/** Replaces the variables in files. Throws their errors, with file and line. */
export function filledFiles({ items, problems }: ParsedFiles, values: Values): Files {
  const all = [...problems]
  const replaced = [...items].map(([file, of]) => {
    const each = of.map(
      (item): Item => ({
        ...item,
        value: replacedIn(item.value, values, (path, name) =>
          all.push({
            ...item.at(path),
            text: t('there is no variable {name}. Set it with --var or --vars', { name }),
            variable: name,
          }),
        ) as Members,
      }),
    )
    return [file, each] as const
  })
  refuse(all)
  return new Map(replaced)
}

function itemsIn(kind: Kind, { name }: File, parsed: Parsed, within: string[]): Item[] {
  const { document, lineOf } = parsed
  const value = within.reduce<unknown>((of, key) => (of as Members)[key], parsed.value)
  const contents = within.length > 0 ? document.getIn(within, true) : document.contents
  const place = (path: readonly PropertyKey[]) => ({
    file: name,
    line: lineAt(document, [...within, ...path], lineOf),
  })
  // a file that was cut short deletes nothing
  if (value === null) {
    const where = within.length > 0 ? place([]) : { file: name }
    throw wrong(where, t('it is empty. Write [] if there are none'))
  }
  if (!Array.isArray(value) || !isSeq(contents))
    throw wrong(place([]), t('it must be a list, each with a dash'))
  return value.map((item: unknown, i) => {
    const at = (path: readonly PropertyKey[] = []) => place([i, ...path])
    if (!isRecord(item)) throw wrong(at(), t('it must have members, such as name: …'))
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

type Missing = (path: PropertyKey[], name: string) => void
function replacedIn(
  value: unknown,
  values: Values,
  missing: Missing,
  path: PropertyKey[] = [],
): unknown {
  if (typeof value === 'string') return filled(value, values, (name) => missing(path, name))
  if (Array.isArray(value))
    return value.map((of, i) => replacedIn(of, values, missing, [...path, i]))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, of]) => [
      name,
      replacedIn(of, values, missing, [...path, name]),
    ]),
  )
}
