import { type Hiding, hidingOf, isRecord, MASK, SpanAttribute } from '@switchroom/contract'
import { z } from 'zod'
import {
  hostOnly,
  maskedAttribute,
  maskedJson,
  maskedText,
  maskedUrls,
} from '../secrets/without-secrets.ts'

const HIDE: Record<Hiding, (value: unknown) => unknown> = {
  secret: (value) => (value === null || value === '' ? value : MASK),
  values: (value) =>
    isRecord(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, MASK])) : value,
  url: (value) => (typeof value === 'string' ? maskedUrls(value) : value),
  host: (value) => (typeof value === 'string' ? hostOnly(value) : value),
  verbs: (value) => (typeof value === 'string' ? maskedJson(value) : value),
  text: (value) => (typeof value === 'string' ? maskedText(value) : value),
  attribute: (value) => {
    const { success, data } = SpanAttribute.safeParse(value)
    return success ? maskedAttribute(data) : value
  },
}

/** Lines of JSON, or of CSV with this separator, as view-only callers may read them. */
export async function* hideInLines(lines: AsyncIterable<string>, separator = ',') {
  // URLs in CSV end with their cell
  const cells = new RegExp(`"(?:[^"]|"")*"|[^"${separator}\\r\\n]+`, 'g')
  for await (const text of lines) yield text.replace(cells, (cell) => maskedUrls(cell))
}

/** A parsed response for view-only callers: the members that its schema marks as hidden are masked. */
export function hide(schema: z.ZodType, value: unknown): unknown {
  if (value === undefined) return value
  const as = hidingOf(schema)
  if (as) return HIDE[as](value)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    return hide(typed(schema.unwrap()), value)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => hide(typed(schema.element), item))
  if (schema instanceof z.ZodUnion) {
    const option = schema.options.map(typed).find((o) => o.safeParse(value).success)
    return option ? hide(option, value) : value
  }
  if (!isRecord(value)) return value
  if (schema instanceof z.ZodRecord)
    return mapValues(value, (member) => hide(typed(schema.valueType), member))
  if (schema instanceof z.ZodObject)
    return mapValues(value, (member, key) => {
      const of = schema.shape[key]
      return of === undefined ? member : hide(typed(of), member)
    })
  return value
}

const mapValues = (
  value: Record<string, unknown>,
  map: (member: unknown, key: string) => unknown,
) => Object.fromEntries(Object.entries(value).map(([key, member]) => [key, map(member, key)]))

/** Zod types the parts of a schema as its core classes, which all schemas here extend. */
function typed(part: unknown): z.ZodType {
  if (part instanceof z.ZodType) return part
  throw new TypeError('This is not a schema')
}
