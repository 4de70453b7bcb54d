import { isRecord, membersOf, t } from '@switchroom/contract'
import type { Item } from './files.ts'
import { bodyOf, hasAccount, memberDefault, PLAIN, parsedMembers } from './kind-members.ts'
import { REFERENCES } from './kinds.ts'
import type { MeantThings } from './meant-things.ts'
import { isSid, type Named } from './names.ts'
import type { Problems } from './problem.ts'
import {
  eachIn,
  elementOf,
  type Members,
  mapped,
  membersIn,
  membersOfKind,
  type Schema,
  written,
} from './shapes.ts'
import { variableIn, withoutPrefix } from './values.ts'

export type Environment = Record<string, string | undefined>

/** Reads the members of items as the API takes them: sids for names, values for variables. */
export class WantedMembers {
  /** Values that came from the environment. */
  secrets = new Set<string>()
  #things: MeantThings
  #problems: Problems
  #environment: Environment
  #sent: ReadonlySet<string> | undefined
  /** `sent`: variables whose values were just sent, so that what is stored is what they say. */
  constructor(
    things: MeantThings,
    problems: Problems,
    environment: Environment,
    sent: ReadonlySet<string> | undefined,
  ) {
    this.#things = things
    this.#problems = problems
    this.#environment = environment
    this.#sent = sent
  }

  /** Members of an item, as the API takes them. */
  of(item: Item, named: Named, stored: Members): Members | undefined {
    const { kind, value } = item
    const body = bodyOf(kind)
    const schemas = membersOfKind(kind, body, value)
    const known = ['sid', 'account', ...(kind.parent ? [written(kind.parent.member)] : [])]
    const own = Object.fromEntries(Object.entries(value).filter(([name]) => !known.includes(name)))
    const before = this.#problems.all.length
    const within = kind.file === 'accounts' ? named.sid : named.account
    const sent = this.#object(item, schemas, own, stored, [], within)
    if (this.#problems.all.length > before) return undefined
    const owners = hasAccount(kind) && { account_sid: named.account }
    const of = kind.parent && kind.id && { [kind.parent.member]: named.of }
    // of what there is already, secrets that are kept are masks, which no whole body may have
    const { data, error } =
      named.thing || !kind.id
        ? parsedMembers(schemas, sent)
        : body.safeParse({ ...sent, ...owners, ...of }, PLAIN)
    for (const { path, message } of error?.issues ?? []) {
      const names = path.map((name) => written(String(name)))
      this.#problems.at(item.at(names), `${names.join('.')}: ${message}`)
    }
    if (error) return undefined
    const parsed = membersOf(data)
    const pairs = Object.entries(schemas).map(([name, schema]) => [
      name,
      parsed[name] ?? memberDefault(kind, name, schema),
    ])
    return { ...Object.fromEntries(pairs.filter(([, of]) => of !== undefined)), ...owners }
  }

  #object(
    item: Item,
    schemas: Record<string, Schema> | undefined,
    value: Members,
    stored: unknown,
    path: string[],
    account: string | null,
  ): Members {
    return Object.fromEntries(
      Object.entries(value).map(([name, of]) => {
        const member =
          schemas && !(name in schemas) && `${name}_sid` in schemas ? `${name}_sid` : name
        const at = [...path, name]
        // sids are written as names
        if (schemas && (!(member in schemas) || written(name) !== name))
          this.#problems.at(item.at(at), t('there is no member {member}', { member: at.join('.') }))
        const kind = schemas && REFERENCES[member]
        const kept = membersOf(stored)[member]
        if (kind && of !== null) return [member, this.#reference(item, kind, of, kept, at, account)]
        return [member, this.#value(item, schemas?.[member], of, kept, at, account)]
      }),
    )
  }

  #reference(
    item: Item,
    kind: string,
    value: unknown,
    stored: unknown,
    path: string[],
    account: string | null,
  ) {
    // of something that is not seen any more
    if (isSid(String(value)) && value === stored) return value
    return this.#things.referred(kind, value, account, item.at(path))
  }

  #value(
    item: Item,
    schema: Schema | undefined,
    value: unknown,
    stored: unknown,
    path: string[],
    account: string | null,
  ): unknown {
    if (typeof value === 'string') return this.#text(item, value, stored, path)
    if (Array.isArray(value)) {
      const element = schema && elementOf(schema)
      const rows = Array.isArray(stored) ? stored : []
      return value.map((of, i) =>
        this.#value(item, element, of, rows[i], [...path, String(i)], account),
      )
    }
    if (!isRecord(value)) return value
    const members = schema && membersIn(schema, value)
    if (members) return this.#object(item, members, value, stored, path, account)
    const each = schema && eachIn(schema)
    return mapped(value, (of, name) =>
      this.#value(item, each, of, membersOf(stored)[name], [...path, name], account),
    )
  }

  #text(item: Item, text: string, stored: unknown, path: string[]) {
    const variable = variableIn(text)
    if (!variable) return withoutPrefix(text)
    const value = this.#environment[variable.name]
    const isStored = stored !== undefined && stored !== null
    if (isStored && this.#sent?.has(variable.name)) return stored
    // a variable that is empty is a secret that somebody forgot
    if (value) {
      this.secrets.add(value)
      return value
    }
    if (variable.isOptional && isStored) return stored
    this.#problems.at(
      item.at(path),
      variable.isOptional
        ? t('nothing is stored yet. Set {name} in the environment', variable)
        : t('{name} is not set in the environment', variable),
      variable.name,
    )
    return undefined
  }
}
