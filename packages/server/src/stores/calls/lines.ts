/** A field value of line protocol. */
export type Value = string | number | boolean

export type Series = {
  measurement: string
  tags: Record<string, string>
  /** A key that is equal for equal tags in any order. */
  key: string
}

/** A time: milliseconds since 1970, and nanoseconds within the last one. */
export type Moment = { ms: number; ns: number }

export type Point = Moment & { series: Series; fields: Record<string, Value> }
/** Points, each with the database that it was written to. */
export type Batch = { database: string; point: Point }[]

export type Parsed = {
  points: Point[]
  /** The first hundred parse errors, in InfluxDB's words. */
  errors: string[]
  /** The number of malformed lines. */
  bad: number
  /** The number of fields without a value, and of lines without other fields. */
  empty_fields: number
  empty_lines: number
}

export const MAX_LINE = 65_536
/** The most lines per body, since a parsed line takes much more memory than its text. */
export const MAX_POINTS = 500_000
const MAX_ERRORS = 100
const MAX_SERIES = 50_000

class BadLine extends Error {}

/** Units of a timestamp, as nanoseconds. */
const PRECISIONS: Record<string, bigint> = {
  '': 1n,
  n: 1n,
  ns: 1n,
  u: 1_000n,
  µ: 1_000n,
  us: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}
export const isPrecision = (text: string) => Object.hasOwn(PRECISIONS, text)

const seriesCache = new Map<string, Series>()

/**
 * Parses a body of line protocol. Never throws: malformed lines are counted and skipped. A field whose
 * value is the bare word `undefined` is skipped alone, since the platform's client writes that for a value
 * it does not have.
 */
export function parseLines(body: string, now: () => Moment, precision = ''): Parsed {
  const parsed: Parsed = { points: [], errors: [], bad: 0, empty_fields: 0, empty_lines: 0 }
  // lines without a time share one, so the last of each series wins, as with InfluxDB
  let moment: Moment | undefined
  const once = () => (moment ??= now())
  const unit = PRECISIONS[precision] ?? 1n
  let at = 0
  while (at < body.length) {
    const [end, keyEnd] = lineEnd(body, at)
    const begin = at
    at = end + 1
    let stop = end
    if (body.charCodeAt(stop - 1) === 13) stop--
    if (stop <= begin || body.charCodeAt(begin) === 35) continue
    const line = body.slice(begin, stop)
    if (line.trim() === '') continue
    try {
      if (parsed.points.length >= MAX_POINTS) throw new BadLine('too many points at once')
      const point = parseLine(line, keyEnd - begin, once, unit, parsed)
      if (point) parsed.points.push(point)
      else parsed.empty_lines++
    } catch (e) {
      if (!(e instanceof BadLine)) throw e
      parsed.bad++
      if (parsed.errors.length < MAX_ERRORS)
        parsed.errors.push(`unable to parse '${line.slice(0, 1_000)}': ${e.message}`)
    }
  }
  return parsed
}

/** The end of a line, and of its measurement and tags. Only string fields may contain a line feed. */
function lineEnd(body: string, from: number): [number, number] {
  let keyEnd = -1
  let quoted = false
  let i = from
  for (; i < body.length; i++) {
    const c = body.charCodeAt(i)
    if (c === 92) i++
    else if (keyEnd < 0) {
      if (c === 32 && i > from) keyEnd = i
      else if (c === 10) return [i, i]
    } else if (c === 34) quoted = !quoted
    else if (c === 10 && !quoted) break
  }
  const end = Math.min(i, body.length)
  return [end, keyEnd < 0 ? end : keyEnd]
}

function parseLine(
  line: string,
  keyEnd: number,
  now: () => Moment,
  unit: bigint,
  parsed: Parsed,
): Point | undefined {
  if (line.length > MAX_LINE) throw new BadLine('line is too long')
  const series = seriesOf(line.slice(0, Math.min(keyEnd, line.length)))
  let i = keyEnd
  while (line.charCodeAt(i) === 32) i++
  if (i >= line.length) throw new BadLine('missing fields')
  // without a prototype: a field may be called __proto__
  const fields: Record<string, Value> = Object.create(null)
  let some = false
  for (;;) {
    const nameEnd = until(line, i, 61)
    if (nameEnd >= line.length || nameEnd === i) throw new BadLine('invalid field format')
    const name = unescapeName(line.slice(i, nameEnd))
    if (name.includes(' ') && !line.slice(i, nameEnd).includes('\\'))
      throw new BadLine('invalid field format')
    i = nameEnd + 1
    if (line.charCodeAt(i) === 34) {
      const close = closingQuote(line, i + 1)
      if (close < 0) throw new BadLine('unbalanced quotes')
      const raw = line.slice(i + 1, close)
      fields[name] = raw.includes('\\') ? raw.replace(/\\(["\\])/g, '$1') : raw
      some = true
      i = close + 1
    } else {
      const begin = i
      while (i < line.length && line.charCodeAt(i) !== 44 && line.charCodeAt(i) !== 32) i++
      const value = unquoted(line.slice(begin, i))
      if (value === undefined) parsed.empty_fields++
      else {
        fields[name] = value
        some = true
      }
    }
    const c = line.charCodeAt(i)
    if (c === 44) i++
    else if (i >= line.length || c === 32) break
    else throw new BadLine('invalid field format')
  }
  const stamp = line.slice(i).trim()
  const moment = stamp === '' ? now() : momentOf(stamp, unit)
  return some ? { series, fields, ms: moment.ms, ns: moment.ns } : undefined
}

function until(line: string, from: number, code: number): number {
  let i = from
  for (; i < line.length; i++) {
    const c = line.charCodeAt(i)
    if (c === 92) i++
    else if (c === code) return i
  }
  return i
}

function closingQuote(line: string, from: number): number {
  const close = line.indexOf('"', from)
  if (close < 0 || line.charCodeAt(close - 1) !== 92) return close
  for (let i = from; i < line.length; i++) {
    const c = line.charCodeAt(i)
    if (c === 92) i++
    else if (c === 34) return i
  }
  return -1
}

const TRUE = new Set(['t', 'T', 'true', 'True', 'TRUE'])
const FALSE = new Set(['f', 'F', 'false', 'False', 'FALSE'])

function unquoted(token: string): Value | undefined {
  const c = token.charCodeAt(token.length - 1)
  if (c >= 48 && c <= 57 && token.length < 16) {
    // the most frequent case: a plain integer
    let n = 0
    for (let i = 0; i < token.length; i++) {
      const digit = token.charCodeAt(i) - 48
      if (digit < 0 || digit > 9) {
        n = -1
        break
      }
      n = n * 10 + digit
    }
    if (n >= 0) return n
  }
  if (token === 'undefined') return undefined
  if (/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(token)) {
    const value = Number(token)
    if (Number.isFinite(value)) return value
    throw new BadLine('invalid number')
  }
  if (/^-?\d+i$/.test(token)) return Number(token.slice(0, -1))
  if (TRUE.has(token)) return true
  if (FALSE.has(token)) return false
  if (token === '') throw new BadLine('missing field value')
  throw new BadLine(/^[tTfF]/.test(token) ? 'invalid boolean' : 'invalid number')
}

const unescapeName = (text: string) =>
  text.includes('\\') ? text.replace(/\\([,= "\\])/g, '$1') : text

/** Cached measurement and tags, since the same few repeat. */
function seriesOf(raw: string): Series {
  const kept = seriesCache.get(raw)
  if (kept) return kept
  const parts: string[] = []
  for (let from = 0; from <= raw.length; ) {
    const end = until(raw, from, 44)
    parts.push(raw.slice(from, Math.min(end, raw.length)))
    from = end + 1
  }
  const measurement = unescapeName(parts[0]!)
  if (measurement === '') throw new BadLine('missing measurement')
  const tags: Record<string, string> = Object.create(null)
  for (const part of parts.slice(1)) {
    const equals = until(part, 0, 61)
    if (equals === 0) throw new BadLine('missing tag key')
    if (equals >= part.length - 1) throw new BadLine('missing tag value')
    const name = unescapeName(part.slice(0, equals))
    if (name in tags) throw new BadLine('duplicate tags')
    tags[name] = unescapeName(part.slice(equals + 1))
  }
  const sorted = Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1))
  const series = { measurement, tags, key: JSON.stringify([measurement, ...sorted.flat()]) }
  if (seriesCache.size >= MAX_SERIES) seriesCache.clear()
  seriesCache.set(raw, series)
  return series
}

function momentOf(stamp: string, unit: bigint): Moment {
  if (!/^-?\d{1,19}$/.test(stamp)) throw new BadLine('bad timestamp')
  if (unit === 1n && stamp.length >= 13 && stamp[0] !== '-')
    return { ms: Number(stamp.slice(0, -6)), ns: Number(stamp.slice(-6)) }
  const ns = BigInt(stamp) * unit
  const within = ((ns % 1_000_000n) + 1_000_000n) % 1_000_000n
  return { ms: Number((ns - within) / 1_000_000n), ns: Number(within) }
}
