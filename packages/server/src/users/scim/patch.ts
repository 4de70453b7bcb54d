import { membersOf } from '@switchroom/contract'
import { filter, parse } from 'scim2-parse-filter'
import { z } from 'zod'
import { ScimError } from './errors.ts'
import { ENTERPRISE, USER } from './resource.ts'

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const Body = z.object({
  schemas: z.array(z.string()).refine((s) => s.includes(PATCH)),
  Operations: z
    .array(
      z.object({
        // Entra ID writes them with a capital
        op: z
          .string()
          .toLowerCase()
          .pipe(z.enum(['add', 'replace', 'remove'])),
        path: z.string().max(500).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(1_000),
})

type Attributes = Record<string, unknown>
const isObject = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `emails[type eq "work"].value`, `name.givenName`, with the URN of a schema in front or alone. */
const PATH = /^(?<name>[a-z$][\w$-]*)(?:\[(?<select>.+)\])?(?:\.(?<sub>[a-z$][\w$-]*))?$/i

type Target = {
  extension: boolean
  name: string
  select: string | undefined
  sub: string | undefined
}

const badPath = (path: string) => new ScimError(400, `There is no attribute ${path}`, 'invalidPath')
const FORBIDDEN = ['__proto__', 'constructor', 'prototype', 'id', 'meta', 'schemas']

function targetOf(path: string): Target {
  for (const urn of [USER, ENTERPRISE]) {
    if (!path.toLowerCase().startsWith(`${urn.toLowerCase()}`)) continue
    const rest = path.slice(urn.length)
    if (urn === ENTERPRISE && rest === '')
      return { extension: false, name: ENTERPRISE, select: undefined, sub: undefined }
    if (rest.startsWith(':')) return { ...parsePath(rest.slice(1)), extension: urn === ENTERPRISE }
  }
  return parsePath(path)
}

function parsePath(path: string): Target {
  const { name, select, sub } = PATH.exec(path)?.groups ?? {}
  if (!name || FORBIDDEN.includes(name) || (sub && FORBIDDEN.includes(sub))) throw badPath(path)
  return { extension: false, name, select, sub }
}

/** The stored key of an attribute; SCIM compares names without case. */
const keyIn = (attributes: Attributes, name: string) =>
  Object.keys(attributes).find((key) => key.toLowerCase() === name.toLowerCase()) ??
  KNOWN.find((key) => key.toLowerCase() === name.toLowerCase()) ??
  name
const KNOWN = [
  'userName',
  'externalId',
  'active',
  'displayName',
  'name',
  'emails',
  'groups',
  'roles',
]

/** Applies the operations of a PATCH to a user's attributes (RFC 7644, 3.5.2). */
export function patched(user: Attributes, body: unknown): Attributes {
  const parsed = Body.safeParse(body)
  if (!parsed.success) throw new ScimError(400, 'Send a PatchOp with Operations', 'invalidSyntax')
  const result = structuredClone(user)
  for (const { op, path, value } of parsed.data.Operations) {
    if (path === undefined) {
      if (op === 'remove') throw new ScimError(400, 'remove needs a path', 'noTarget')
      if (!isObject(value)) throw new ScimError(400, 'The value is not an object', 'invalidValue')
      // Entra ID and Okta both leave the path out, the first with paths as names
      for (const [name, one] of Object.entries(value))
        if (!['id', 'meta', 'schemas'].includes(name)) apply(result, op, targetOf(name), one)
    } else apply(result, op, targetOf(path), value)
  }
  return result
}

type Op = 'add' | 'replace' | 'remove'

function apply(user: Attributes, op: Op, target: Target, value: unknown) {
  if (target.extension) {
    const key = keyIn(user, ENTERPRISE)
    const extension = isObject(user[key]) ? user[key] : {}
    user[key] = extension
    return setIn(extension, op, target, value)
  }
  setIn(user, op, target, value)
}

function setIn(at: Attributes, op: Op, { name, select, sub }: Target, value: unknown) {
  const key = keyIn(at, name)
  if (select !== undefined) return setSelected(at, key, op, { select, sub }, value)
  if (sub === undefined) return setValue(at, key, op, value)
  const parent = isObject(at[key]) ? at[key] : {}
  at[key] = parent
  setValue(parent, keyIn(parent, sub), op, value)
}

function setValue(at: Attributes, key: string, op: Op, value: unknown) {
  const before = at[key]
  if (op === 'remove') {
    // Entra ID names the members to remove in the value
    if (Array.isArray(before) && Array.isArray(value)) {
      const gone = value.map(valueIn)
      at[key] = before.filter((one) => !gone.includes(valueIn(one)))
    } else delete at[key]
    return
  }
  if (op === 'add' && Array.isArray(before)) {
    const more = Array.isArray(value) ? value : [value]
    const known = before.map(valueIn)
    at[key] = [...before, ...more.filter((one) => !known.includes(valueIn(one)))]
    return
  }
  at[key] = isObject(before) && isObject(value) ? { ...before, ...value } : value
}

const valueIn = (one: unknown) => (isObject(one) ? one.value : one)

/** Changes the members of a list that a filter selects. */
function setSelected(
  at: Attributes,
  key: string,
  op: Op,
  { select, sub }: { select: string; sub: string | undefined },
  value: unknown,
) {
  const list = Array.isArray(at[key]) ? at[key] : []
  const selects = selector(select)
  const chosen = list.filter((one) => isObject(one) && selects(one))
  if (op === 'remove' && sub === undefined) {
    at[key] = list.filter((one) => !chosen.includes(one))
    return
  }
  if (chosen.length === 0) {
    if (op === 'remove') return
    // a member of this type is added: `emails[type eq "work"].value` of a user without one
    const made = madeBy(select)
    list.push(made)
    chosen.push(made)
  }
  for (const one of chosen.filter(isObject))
    if (sub === undefined) Object.assign(one, membersOf(value))
    else setValue(one, keyIn(one, sub), op, value)
  at[key] = list
}

const parsedFilter = (select: string) => {
  try {
    return parse(select)
  } catch {
    throw new ScimError(400, 'The filter of this path is not valid', 'invalidFilter')
  }
}

function selector(select: string) {
  const matches = filter(parsedFilter(select))
  return (one: Attributes) => matches(one)
}

/** The member that a filter like `type eq "work"` describes. */
function madeBy(select: string): Attributes {
  const parsed = parsedFilter(select)
  if (parsed.op === 'eq' && 'compValue' in parsed && !FORBIDDEN.includes(parsed.attrPath))
    return { [parsed.attrPath]: parsed.compValue }
  throw new ScimError(400, 'No value matches the filter of this path', 'noTarget')
}
