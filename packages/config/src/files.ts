import { isRecord } from '@switchroom/contract'
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
import { ConfigError, type Place, refuse, sentence } from './problem.ts'
import type { Members } from './shapes.ts'
import { filled, type Values } from './values.ts'

export type File = { name: string; text: string }

/** A thing as a file has it. */
export type Item = {
  kind: Kind
  value: Members
  /** Where it is, or a member of it. */
  at: (path?: readonly PropertyKey[]) => Place
}

/** The things of a folder, by kind: a kind without a file is left as it is. */
export type Files = ReadonlyMap<string, Item[]>

export const MAX_BYTES = 8_000_000
const MAX_ALIASES = 100
const MAX_DEPTH = 100
const TOO_DEEP = 'it is nested too deep'
const ENDING = /\.ya?ml$/
/** Values for variables: no kind of thing. */
const VARIABLES = /(?:^|\.)vars\.ya?ml$/

/** Whether a file of a folder is one of configuration. */
export const isConfig = (name: string) => ENDING.test(name) && !VARIABLES.test(name)

type Parsed = {
  document: Document
  counter: LineCounter
  value: unknown
  lineOf: (at: number) => number
}

function parse({ name, text }: File): Parsed {
  if (text.length > MAX_BYTES)
    throw new ConfigError(
      sentence(name, `has ${Math.round(text.length / 1e6)} MB; a file may have ${MAX_BYTES / 1e6}`),
    )
  const counter = new LineCounter()
  const lineOf = (at: number) => counter.linePos(at).line || 1
  try {
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false })
    const [error] = document.errors
    if (error)
      throw new ConfigError(
        sentence({ file: name, line: lineOf(error.pos[0]) }, said(error.message)),
      )
    const alias = circleIn(document)
    if (alias)
      throw new ConfigError(
        sentence({ file: name, line: lineOf(alias.range![0]) }, `*${alias.source} contains itself`),
      )
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    if (isTooDeep(value)) throw new RangeError()
    return { document, counter, value, lineOf }
  } catch (error) {
    if (error instanceof ConfigError) throw error
    // the stack of the parser, or aliases of aliases
    const what = error instanceof RangeError ? TOO_DEEP : 'it has too many aliases'
    throw new ConfigError(sentence({ file: name, line: 1 }, what))
  }
}

function said(message: string) {
  if (message === 'Map keys must be unique') return 'a member is named twice'
  if (message.includes('multiple documents')) return 'it has several documents'
  return message.includes('call stack') ? TOO_DEEP : message
}

/** An alias within what it stands for. */
function circleIn(document: Document): Alias | undefined {
  let found: Alias | undefined
  visit(document, {
    Alias: (_, alias, path) => {
      const isWithin = path.some(
        (node) => isNode(node) && 'anchor' in node && node.anchor === alias.source,
      )
      if (!isWithin) return undefined
      found = alias
      return visit.BREAK
    },
  })
  return found
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth > MAX_DEPTH || Object.values(value).some((of) => isTooDeep(of, depth + 1))
}

/** Reads variables: names with texts, numbers or truth values. */
export function readVariables(file: File): Values {
  const { value } = parse(file)
  if (value === null) return {}
  if (!isRecord(value))
    throw new ConfigError(sentence({ file: file.name, line: 1 }, 'it must be names with values'))
  const wrong = Object.entries(value).find(([, of]) => typeof of === 'object')
  if (wrong)
    throw new ConfigError(
      sentence({ file: file.name, line: 1 }, `${wrong[0]} must be a text, a number, true or false`),
    )
  return value
}

/** Reads files of configuration. Throws what is wrong, with file and line. */
export function readFiles(files: readonly File[], values: Values): Files {
  const problems: string[] = []
  const all = new Map<string, Item[]>()
  for (const file of files) {
    const kind = kindOf(file.name.replace(ENDING, ''))
    if (!kind) {
      const kinds = KINDS.map((one) => one.file).join(', ')
      problems.push(sentence(file.name, `there is no such kind of thing. There are ${kinds}`))
      continue
    }
    try {
      all.set(kind.file, itemsIn(kind, file, values, problems))
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(error.message)
    }
  }
  refuse(problems)
  return all
}

function itemsIn(kind: Kind, file: File, values: Values, problems: string[]): Item[] {
  const { document, value, lineOf } = parse(file)
  // a file that was cut short deletes nothing
  if (value === null)
    throw new ConfigError(sentence(file.name, 'it is empty. Write [] if there are none'))
  const { contents } = document
  if (!Array.isArray(value) || !isSeq(contents))
    throw new ConfigError(
      sentence({ file: file.name, line: 1 }, 'it must be a list, each with a dash'),
    )
  return value.map((item: unknown, i) => {
    const at = (path: readonly PropertyKey[] = []) => ({
      file: file.name,
      line: lineAt(document, [i, ...path], lineOf),
    })
    if (!isRecord(item))
      throw new ConfigError(sentence(at(), 'it must have members, such as name: …'))
    const replaced = replacedIn(item, values, (path, name) =>
      problems.push(
        sentence(at(path), `there is no variable ${name}. Set it with --var or --vars`),
      ),
    )
    return { kind, value: replaced as Members, at }
  })
}

function lineAt(document: Document, path: readonly PropertyKey[], lineOf: (at: number) => number) {
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
