import { readFileSync } from 'node:fs'
import { kebab } from '@switchroom/contract'
import { UsageError } from './exit.ts'
import type { Flag } from './rows.ts'

/** Parses the value of a flag for the API. */
export function parseFlag({ name, type, choices }: Flag, text: string | boolean): unknown {
  if (text === true) return true
  const given = String(text)
  const wrong = (what: string) => new UsageError(`--${kebab(name)} takes ${what}, not "${given}"`)
  if (type === 'flag') {
    if (!/^(?:true|false|1|0)$/.test(given)) throw wrong('true or false')
    return given === 'true' || given === '1'
  }
  if (type === 'number') {
    if (given === '') return null
    if (!Number.isFinite(Number(given))) throw wrong('a number')
    return Number(given)
  }
  if (type === 'json') {
    try {
      return JSON.parse(given) as unknown
    } catch {
      // a list of words
      if (/^[\w.:/, -]+$/.test(given)) return given.split(',').map((word) => word.trim())
      throw wrong('JSON')
    }
  }
  if (choices && given !== '' && !choices.includes(given)) throw wrong(choices.join(', '))
  return given
}

/** A body: JSON, or `@file` with it. `-` is read by the caller. */
export function bodyIn(text: string): Record<string, unknown> {
  const json = text.startsWith('@') ? readFile(text.slice(1)) : text
  try {
    const body: unknown = JSON.parse(json)
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  } catch {
    // told below
  }
  throw new UsageError('--data takes a JSON object, @file with one, or - to read it')
}

export function readFile(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new UsageError(`${file} cannot be read`)
  }
}
