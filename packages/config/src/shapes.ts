import { allFields, hidingOf, isRecord, isSecretName, MASK, vendorOf } from '@switchroom/contract'
import { z } from 'zod'
import { type Kind, REFERENCES } from './kinds.ts'

export type Members = Record<string, unknown>
export type Schema = z.ZodType
type Def = {
  type: string
  innerType?: Schema
  in?: Schema
  out?: Schema
  options?: Schema[]
  element?: Schema
  shape?: Record<string, Schema>
  valueType?: Schema
  values?: unknown[]
}
const defOf = (schema: Schema) => schema.def as unknown as Def

/** The schemas that a value may have, without what is wrapped around them. */
function bare(schema: Schema): Schema[] {
  const { type, innerType, options, ...def } = defOf(schema)
  if (innerType) return bare(innerType)
  if (type === 'pipe') return bare(defOf(def.in!).type === 'transform' ? def.out! : def.in!)
  return options ? options.flatMap(bare) : [schema]
}

/** Value of a member that is left out. */
export const defaultOf = (schema: Schema) => schema.safeParse(undefined).data

/** True if a member is 0 or 1, which files write as false and true. */
export const isFlag = (schema: Schema) => schema.safeParse('true').data === 1

export const elementOf = (schema: Schema) =>
  bare(schema)
    .map((one) => defOf(one).element)
    .find(Boolean)
export const eachIn = (schema: Schema) =>
  bare(schema)
    .map((one) => defOf(one).valueType)
    .find(Boolean)

/** True if the literals of an object schema match this value. */
const fits = (schema: Schema, value: Members) =>
  Object.entries(defOf(schema).shape!).every(([name, member]) => {
    const { type, values } = defOf(member)
    return type !== 'literal' || values!.includes(value[name])
  })

/** The members that an object of this schema may have, by name; undefined if it is no object, or one with any members. */
export function membersIn(schema: Schema, value: Members): Record<string, Schema> | undefined {
  const objects = bare(schema).filter((one) => defOf(one).type === 'object')
  if (objects.length === 0) return undefined
  const fitting = objects.filter((one) => fits(one, value))
  return Object.assign({}, ...(fitting.length > 0 ? fitting : objects).map((o) => defOf(o).shape))
}

const ANY = z.unknown()
const OWNERS = ['account_sid', 'service_provider_sid']

/** The members of a thing that files may have, in their order, without what it belongs to. */
export function membersOfKind(kind: Kind, body: Schema, value: Members): Record<string, Schema> {
  const vendor = kind.id === 'speech_credential_sid' ? vendorOf(String(value.vendor)) : undefined
  const fields = vendor ? Object.keys(allFields(vendor)) : []
  const out = [...OWNERS, ...(kind.omitted ?? []), kind.parent?.member]
  const all: Record<string, Schema> = {
    ...membersIn(body, value),
    ...Object.fromEntries(fields.map((name) => [name, ANY])),
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => !out.includes(name)))
}

/** Members with sids of a thing's own parts, which files leave out. */
const isOwnSid = (name: string) => name.endsWith('_sid') && !(name in REFERENCES)

/** A reference in a file: `application` for `application_sid`. */
export const written = (name: string) => (name in REFERENCES ? name.replace(/_sid$/, '') : name)

/** The part of an API value that files contain: known members that are set. */
export function kept(schema: Schema | undefined, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (!schema) return value
  if (Array.isArray(value)) {
    const element = elementOf(schema)
    return value.map((one) => kept(element, one))
  }
  if (!isRecord(value)) return value
  const members = membersIn(schema, value)
  if (!members) return value
  const pairs = Object.keys(members)
    .filter((name) => !isOwnSid(name))
    .map((name) => [name, kept(members[name], value[name])] as const)
  return Object.fromEntries(pairs.filter(([, of]) => of !== undefined))
}

/** Members of a thing from the API, in the form of its file. */
export function membersOfRow(kind: Kind, body: Schema, row: Members): Members {
  const read: Members = Array.isArray(row.limits) ? { ...row, limits: limitsIn(row.limits) } : row
  const members = membersOfKind(kind, body, read)
  const pairs = Object.entries(members).map(([name, schema]) => [name, kept(schema, read[name])])
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined))
}

const limitsIn = (rows: unknown[]) =>
  Object.fromEntries((rows as Members[]).map(({ category, quantity }) => [category, quantity]))

const URLS = /^(?:https?|wss?):\/\//i
/** A URL that lets its holder in. */
function isSecretUrl(text: string) {
  if (!URLS.test(text) || !URL.canParse(text)) return false
  const { username, password, searchParams } = new URL(text)
  return Boolean(username || password || [...searchParams.keys()].some(isSecretName))
}

/** True if verbs contain a password, or a URL that grants access. */
function hasSecrets(value: unknown): boolean {
  if (typeof value === 'string') return isSecretUrl(value)
  if (Array.isArray(value)) return value.some(hasSecrets)
  return (
    isRecord(value) &&
    Object.entries(value).some(
      ([name, of]) => (isSecretName(name) && of !== null && of !== '') || hasSecrets(of),
    )
  )
}
function isSecretJson(text: string) {
  try {
    return hasSecrets(JSON.parse(text))
  } catch {
    return true
  }
}

/** Returns the replacement of a secret, by the path of its members. */
export type Reference = (path: readonly string[]) => unknown

/** A value with its secrets replaced: what its response marks as hidden, and what is masked already. */
export function replacing(
  schema: Schema | undefined,
  value: unknown,
  reference: Reference,
  path: readonly string[] = [],
): unknown {
  if (value === null || value === undefined || value === '') return value
  const as = schema && hiding(schema)
  if (as === 'secret') return reference(path)
  if (as === 'values' && isRecord(value))
    return mapped(value, (_, name) => reference([...path, name]))
  if (typeof value === 'string') {
    const isSecret =
      value.includes(MASK) ||
      (as === 'url' && isSecretUrl(value)) ||
      (as === 'host' && URLS.test(value)) ||
      (as === 'verbs' && isSecretJson(value))
    return isSecret ? reference(path) : value
  }
  if (Array.isArray(value)) {
    const element = schema && elementOf(schema)
    return value.map((one, i) => replacing(element, one, reference, [...path, String(i)]))
  }
  if (!isRecord(value)) return value
  const members = schema && membersIn(schema, value)
  const each = schema && eachIn(schema)
  return mapped(value, (of, name) =>
    replacing(members?.[name] ?? each, of, reference, [...path, name]),
  )
}

function hiding(schema: Schema): ReturnType<typeof hidingOf> {
  const as = hidingOf(schema)
  const { innerType } = defOf(schema)
  return as ?? (innerType && hiding(innerType))
}

/** A value with its flags as false and true. */
export function withFlags(schema: Schema | undefined, value: unknown): unknown {
  if (!schema || value === null) return value
  if (isFlag(schema)) return value === 1
  if (Array.isArray(value)) {
    const element = elementOf(schema)
    return value.map((of) => withFlags(element, of))
  }
  if (!isRecord(value)) return value
  const members = membersIn(schema, value)
  return mapped(value, (of, name) => withFlags(members?.[name], of))
}

export const mapped = (value: Members, map: (of: unknown, name: string) => unknown): Members =>
  Object.fromEntries(Object.entries(value).map(([name, of]) => [name, map(of, name)]))

/** The references that a value of this schema may have, at any depth. */
export function referencesIn(schema: Schema): string[] {
  return bare(schema).flatMap((one) => {
    const { element, valueType, shape = {} } = defOf(one)
    const below = [element, valueType, ...Object.values(shape)].filter((part) => part !== undefined)
    return [
      ...Object.keys(shape).filter((name) => name in REFERENCES),
      ...below.flatMap(referencesIn),
    ]
  })
}
