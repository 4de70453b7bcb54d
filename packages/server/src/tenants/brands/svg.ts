import { t } from '@switchroom/contract'

// An SVG from a user is hostile until shown otherwise: it may hold scripts, load from elsewhere, or be two things at
// once. Only elements and attributes of logos pass. It is refused, not repaired: the stored file is the checked one.

const NAMESPACE = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'

/** Elements for drawing only. Not `use`, which multiplies its target, nor anything that animates, embeds or links. */
const ELEMENTS = new Set(
  `svg g defs title desc style path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask`.split(/\s+/),
)
const MAX_ELEMENTS = 2_000
const MAX_DEPTH = 32

const NAME = String.raw`[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?`
const COMMENT = /<!--(?:(?!--)[\s\S])*-->/y
const TEXT = /[^<]+/y
const CLOSE = new RegExp(String.raw`</(${NAME})\s*>`, 'y')
const OPEN = new RegExp(`<(${NAME})`, 'y')
const ATTRIBUTE = new RegExp(String.raw`\s+(${NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y')
const OPEN_END = /\s*(\/?)>/y

/** Text of an attribute or a style that refers to something outside the file. */
const LEADS_OUT =
  /[\\@]|(?:https?|data|javascript|vbscript|file|blob|ftp)\s*:|(?:image|image-set|src|cross-fade|element|expression)\s*\(/i
const OWN_PART = /url\(\s*(["']?)#[\w.-]+\1\s*\)/gi
const INTERNAL = /^#[\w.-]+$/

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text as a browser reads it; undefined with an entity that is not XML's own. */
function decoded(text: string): string | undefined {
  let unknown = false
  const plain = text.replace(/&([^;&]{0,10});?/g, (whole, name: string) => {
    const code = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name)
    const point = code ? Number.parseInt(code[1] ?? code[2]!, code[1] ? 16 : 10) : undefined
    if (point !== undefined && point > 0 && point <= 0x10ffff && whole.endsWith(';'))
      return String.fromCodePoint(point)
    const entity = ENTITIES[name]
    if (entity === undefined || !whole.endsWith(';')) unknown = true
    return entity ?? ''
  })
  return unknown ? undefined : plain
}

const isSelfContained = (value: string) =>
  !LEADS_OUT.test(value) && !/url\s*\(/i.test(value.replace(OWN_PART, ''))

function attributeProblem(name: string, raw: string): string | undefined {
  const value = decoded(raw)
  if (value === undefined) return t('The SVG has an unknown entity in {name}', { name })
  if (name === 'xmlns') return value === NAMESPACE ? undefined : t('This is not an SVG file')
  if (name === 'xmlns:xlink') return value === XLINK ? undefined : t('This is not an SVG file')
  if (name === 'xml:space') return undefined
  if (name === 'href' || name === 'xlink:href')
    return INTERNAL.test(value)
      ? undefined
      : t('The SVG refers to something else in {name}', { name })
  if (name.includes(':') || /^on/i.test(name))
    return t('An SVG logo cannot have the attribute {name}', { name })
  return isSelfContained(value)
    ? undefined
    : t('The SVG refers to something else in {name}', { name })
}

/** Why a file is no SVG that is served as a logo; undefined if it is one. */
export function svgProblem(text: string): string | undefined {
  const start = /^\uFEFF?\s*(?:<\?xml\s[^<>?]*\?>)?\s*/.exec(text)![0]
  if (/encoding/i.test(start) && !/encoding\s*=\s*["']utf-8["']/i.test(start))
    return t('Save the SVG as UTF-8')
  let at = start.length
  const open: string[] = []
  let elements = 0
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  while (at < text.length) {
    if (match(COMMENT)) continue
    const words = match(TEXT)?.[0]
    if (words !== undefined) {
      const plain = decoded(words)
      if (plain === undefined) return t('The SVG has an unknown entity')
      if (open.length === 0 && plain.trim() !== '') return t('This is not an SVG file')
      if (open.at(-1) === 'style' && !isSelfContained(plain))
        return t('The SVG refers to something else in its style')
      continue
    }
    const closed = match(CLOSE)?.[1]
    if (closed !== undefined) {
      if (open.pop() !== closed) return t('The SVG file is damaged')
      continue
    }
    const name = match(OPEN)?.[1]
    // a document type, CDATA or an instruction
    if (name === undefined) return t('The SVG has something other than elements and text')
    if (!ELEMENTS.has(name))
      return t('An SVG logo cannot have the element {name}. Export it as plain SVG.', { name })
    if (open.length === 0 && (name !== 'svg' || elements > 0)) return t('This is not an SVG file')
    elements += 1
    const names = new Set<string>()
    for (let found = match(ATTRIBUTE); found; found = match(ATTRIBUTE)) {
      const [, attribute = '', double, single] = found
      if (names.has(attribute)) return t('The SVG file is damaged')
      names.add(attribute)
      const problem = attributeProblem(attribute, double ?? single ?? '')
      if (problem) return problem
    }
    if (elements === 1 && !names.has('xmlns')) return t('This is not an SVG file')
    if (elements === 1 && !names.has('viewBox'))
      return t('The SVG needs a viewBox, which its size follows from')
    const end = match(OPEN_END)
    if (!end) return t('The SVG file is damaged')
    if (end[1] === '') open.push(name)
    if (elements > MAX_ELEMENTS || open.length > MAX_DEPTH)
      return t('The SVG is too complex for a logo')
  }
  return elements === 0 || open.length > 0 ? t('This SVG file is incomplete') : undefined
}
