import { type Route, routeMatches } from './routing.ts'

export const DIGITS = '0123456789'
/** Numbers as people dial them. */
const DIALLED = `${DIGITS}+*#`
/** A number that few patterns are meant to match. */
export const ANY_NUMBER = '15005550100'

/** The prefix a pattern requires: for each position, the allowed characters. */
export type Shape = {
  anchored: boolean
  places: string[]
  /** True if the prefix is all of the pattern; false if more follows. */
  isComplete: boolean
}

const ATOM = /\\d|\\[^\w\s]|\[\^?[\d+-]+\]|\.|[\d+#]/y
const TIMES = /\{(\d{1,2})(,\d{0,2})?\}|[*+?]/y

/** The prefixes of a pattern's alternatives; undefined if the pattern is too complex. */
export function shapesOf(pattern: string): Shape[] | undefined {
  const group = /^(\^?)\((?:\?:)?([^()[\]|]*(?:\|[^()[\]|]*)*)\)$/.exec(pattern)
  const alternatives = group
    ? group[2]!.split('|').map((a) => group[1]! + a)
    : pattern.includes('[') && pattern.includes('|')
      ? [pattern]
      : pattern.split('|')
  const shapes = alternatives.map(shapeOf)
  return shapes.every((s) => s !== undefined) ? shapes : undefined
}

function shapeOf(pattern: string): Shape | undefined {
  const anchored = pattern.startsWith('^')
  const places: string[] = []
  let at = anchored ? 1 : 0
  const rest = () => pattern.slice(at)
  while (at < pattern.length) {
    if (rest() === '$') return { anchored, places, isComplete: false }
    const atom = read(ATOM, pattern, at)
    if (!atom) return undefined
    const chars = charsOf(atom[0])
    if (!chars) return undefined
    at += atom[0].length
    const times = read(TIMES, pattern, at)
    at += times?.[0].length ?? 0
    // lazy and possessive quantifiers are not understood here
    if (times && read(TIMES, pattern, at)) return undefined
    const least = times ? (times[1] ? Number(times[1]) : times[0] === '+' ? 1 : 0) : 1
    for (let i = 0; i < least; i++) places.push(chars)
    const varies = times !== null && (times[1] === undefined || times[2] !== undefined)
    if (!varies) continue
    // an optional part leaves open where the rest begins
    if (/[()|[\]]/.test(rest())) return undefined
    const endless = times[0] === '*' || times[0] === '+' || times[2] === ','
    const takesRest = rest() === '' || (rest() === '$' && atom[0] === '.' && endless)
    return { anchored, places, isComplete: takesRest }
  }
  return { anchored, places, isComplete: true }
}

function read(what: RegExp, text: string, at: number) {
  what.lastIndex = at
  return what.exec(text)
}

function charsOf(atom: string): string | undefined {
  if (atom === '.') return DIALLED
  if (atom === '\\d') return DIGITS
  if (atom.startsWith('\\')) return atom[1]
  if (!atom.startsWith('[')) return atom === '+' ? undefined : atom
  const set = new RegExp(atom)
  return [...DIALLED].filter((c) => set.test(c)).join('') || undefined
}

/** True if `wide` matches every number that `narrow` matches. False if unknown. */
export const covers = (wide: Shape[] | undefined, narrow: Shape[] | undefined) =>
  Boolean(narrow?.every((n) => wide?.some((w) => includes(w, n))))

export function includes(wide: Shape, narrow: Shape) {
  if (!wide.isComplete) return false
  if (wide.places.length === 0) return true
  if (wide.anchored && !narrow.anchored) return false
  const fitsAt = (from: number) =>
    wide.places.every((allowed, i) => {
      const possible = narrow.places[from + i]
      return possible !== undefined && [...possible].every((c) => allowed.includes(c))
    })
  const last = wide.anchored ? 0 : narrow.places.length - wide.places.length
  for (let from = 0; from <= last; from++) if (fitsAt(from)) return true
  return false
}

export const ALL: Shape[] = [{ anchored: false, places: [], isComplete: true }]

/** A sample number for the pattern, if one can be derived. */
export function sampleOf(route: Route, shapes: Shape[] = []): string | undefined {
  const starts = shapes.map(({ places }) => places.map((chars) => chars[0]).join(''))
  const all = [...starts.flatMap((s) => [s + ANY_NUMBER.slice(s.length), s]), ANY_NUMBER]
  return all.find((number) => number !== '' && routeMatches(route, number))
}
