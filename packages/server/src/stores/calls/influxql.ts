import type { Value } from './lines.ts'
import { BadQuery, type Token, tokens } from './tokens.ts'

export type Select = {
  /** Undefined means all columns. */
  columns: string[] | undefined
  /** Counts rows with this field, in place of columns. */
  count: string | undefined
  measurement: string
  is: Record<string, Value>
  not: Record<string, Value>
  from: bigint
  to: bigint
  /** The lower bound as given, which is the time of a count's row. */
  since: bigint | undefined
  text: string | undefined
  newestFirst: boolean
  limit: number | undefined
  offset: number
}
export type Statement =
  | { kind: 'show databases' }
  | { kind: 'create database'; name: string }
  | { kind: 'select'; select: Select }

type Literal = Value | bigint
export const EARLIEST = -(2n ** 62n)
export const LATEST = 2n ** 62n

/** The bound parameters of a query. Integers too large for a double stay exact. */
export function readParams(json: string): Record<string, Literal> {
  if (json === '') return {}
  try {
    const read = JSON.parse(json, (_, value, context?: { source?: string }) =>
      typeof value === 'number' &&
      !Number.isSafeInteger(value) &&
      /^-?\d+$/.test(context?.source ?? '')
        ? BigInt(context!.source!)
        : value,
    )
    if (typeof read === 'object' && read !== null) return read
  } catch {
    // handled below
  }
  throw new BadQuery('error parsing query parameters')
}

/** The conditions with which the platform's client searches for a text. */
const groupOf = (text: string) =>
  `("from" =~ /.*${text}.*/ OR "to" =~ /.*${text}.*/ OR call_sid = $filter)`

/**
 * Parses only the statements that the platform's client sends. Its text filter is part of a
 * regular expression, as typed: the parameter beside it has the plain text, and the expression must
 * contain exactly that, so that user input cannot change the statement.
 */
export function parseQuery(query: string, params: Record<string, Literal>): Statement {
  const { filter } = params
  if (typeof filter !== 'string' || !query.includes(groupOf(filter)))
    return new Reader(tokens(query), params, undefined).statement()
  const source = query.replace(groupOf(filter), () => 'true')
  return new Reader(tokens(source), params, filter).statement()
}

const UNITS: Record<string, bigint> = {
  ns: 1n,
  u: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
}

class Reader {
  #tokens: Token[]
  #at = 0
  #params: Record<string, Literal>
  #text: string | undefined

  constructor(tokens: Token[], params: Record<string, Literal>, text: string | undefined) {
    this.#tokens = tokens
    this.#params = params
    this.#text = text
  }

  #is = (word: string) => {
    const token = this.#tokens[this.#at]
    return token !== undefined && token.kind !== 'string' && token.text.toLowerCase() === word
  }
  #take(word: string): boolean {
    const yes = this.#is(word)
    if (yes) this.#at++
    return yes
  }
  #expect(word: string) {
    if (!this.#take(word)) this.#fail(word.toUpperCase())
  }
  #fail(expected: string): never {
    const found = this.#tokens[this.#at]?.text.slice(0, 100) ?? 'EOF'
    throw new BadQuery(`error parsing query: found ${found}, expected ${expected}`)
  }
  #name(): string {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'name') this.#fail('identifier')
    this.#at++
    return token.text
  }
  #literal(): Literal {
    const token = this.#tokens[this.#at++]
    if (token?.kind === 'string') return token.text
    if (token?.kind === 'number')
      return token.unit ? BigInt(token.text) * UNITS[token.unit]! : numberOf(token.text)
    if (token?.kind === 'name' && /^(true|false)$/i.test(token.text))
      return token.text.toLowerCase() === 'true'
    if (token?.kind === 'param') {
      if (!Object.hasOwn(this.#params, token.text))
        throw new BadQuery(`error parsing query: missing parameter: ${token.text}`)
      return this.#params[token.text]!
    }
    this.#at--
    this.#fail('literal')
  }
  #whole(): number {
    const value = Number(this.#literal())
    if (!Number.isSafeInteger(value) || value < 0) this.#fail('integer')
    return value
  }

  statement(): Statement {
    const finish = <T>(statement: T): T => {
      this.#take(';')
      if (this.#at < this.#tokens.length) this.#fail('EOF')
      return statement
    }
    if (this.#take('show')) {
      this.#expect('databases')
      return finish({ kind: 'show databases' })
    }
    if (this.#take('create')) {
      this.#expect('database')
      return finish({ kind: 'create database', name: this.#name() })
    }
    this.#expect('select')
    return finish({ kind: 'select', select: this.#select() })
  }

  #select(): Select {
    const select: Select = {
      columns: undefined,
      count: undefined,
      measurement: '',
      is: Object.create(null),
      not: Object.create(null),
      from: EARLIEST,
      to: LATEST,
      since: undefined,
      text: undefined,
      newestFirst: false,
      limit: undefined,
      offset: 0,
    }
    if (this.#is('count') && this.#tokens[this.#at + 1]?.text === '(') {
      this.#at += 2
      select.count = this.#name()
      this.#expect(')')
    } else if (!this.#take('*')) {
      select.columns = [this.#name()]
      while (this.#take(',')) select.columns.push(this.#name())
    }
    this.#expect('from')
    select.measurement = this.#name()
    if (this.#take('where')) {
      do this.#condition(select)
      while (this.#take('and'))
    }
    if (this.#take('order')) {
      this.#expect('by')
      this.#expect('time')
      select.newestFirst = this.#take('desc')
      if (!select.newestFirst) this.#take('asc')
    }
    if (this.#take('limit')) select.limit = this.#whole()
    if (this.#take('offset')) select.offset = this.#whole()
    return select
  }

  #condition(select: Select) {
    if (this.#text !== undefined && this.#take('true')) {
      select.text = this.#text
      return
    }
    const name = this.#name()
    const sign = this.#tokens[this.#at++]?.text ?? ''
    const value = this.#literal()
    if (name === 'time') setTimeBound(select, sign, value)
    else if (typeof value === 'bigint') this.#fail('value')
    else if (sign === '=') select.is[name] = value
    else if (sign === '!=' || sign === '<>') select.not[name] = value
    else this.#fail('=, !=')
  }
}

const numberOf = (text: string): Literal =>
  /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text)

function setTimeBound(select: Select, sign: string, value: Literal) {
  const ns = momentOf(value)
  // InfluxDB returns nothing for an invalid time
  if (ns === undefined) select.to = EARLIEST
  else if (sign === '>' || sign === '>=') {
    select.since = sign === '>' ? ns + 1n : ns
    if (select.since > select.from) select.from = select.since
  } else if (sign === '<' || sign === '<=') {
    const to = sign === '<' ? ns : ns + 1n
    if (to < select.to) select.to = to
  } else throw new BadQuery('error parsing query: time takes <, <=, > and >=')
}

function momentOf(value: Literal): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'string') return undefined
  const m = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?$/.exec(
    value,
  )
  if (!m) return undefined
  const ms = Date.parse(`${m[1]}T${m[2] ?? '00:00:00'}${m[4] ?? 'Z'}`)
  return Number.isNaN(ms)
    ? undefined
    : BigInt(ms) * 1_000_000n + BigInt((m[3] ?? '').padEnd(9, '0'))
}
