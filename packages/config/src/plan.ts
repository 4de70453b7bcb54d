import type { Switchroom } from '@switchroom/client'
import { isRecord, isSecretName, MASK, membersOf, plainError, t } from '@switchroom/contract'
import { byName, type Difference, differences } from './differences.ts'
import type { Files, Item } from './files.ts'
import { KINDS, type Kind, REFERENCES } from './kinds.ts'
import { isSid, type Named, type Names, nameOf, namesOf } from './names.ts'
import { type Place, type Problem, refuse } from './problem.ts'
import {
  bodyFrom,
  eachOf,
  endpointOf,
  groupOf,
  type Owner,
  readThings,
  type Thing,
  view,
} from './read.ts'
import {
  defaultOf,
  eachIn,
  elementOf,
  type Members,
  mapped,
  membersIn,
  membersOfKind,
  membersOfRow,
  replacing,
  type Schema,
  withFlags,
  written,
} from './shapes.ts'
import { variableIn, withoutPrefix } from './values.ts'
import type { YieldIfDue } from './yield-if-due.ts'

export type Environment = Record<string, string | undefined>

export type Planning = {
  yieldIfDue?: YieldIfDue
  /** Variables whose values were just sent: what is stored is what they say. */
  sent?: ReadonlySet<string>
}

/** A member that would change, as people read it: names for sids, nothing of a secret. */
export type Field = { path: string; from: unknown; to: unknown }

export type Change = {
  /** `replace`: something that cannot be changed is deleted and created. */
  action: 'create' | 'update' | 'replace' | 'delete'
  kind: Kind
  name: string
  account: string | null
  /** Sid, or a temporary one until it is created. */
  sid: string
  of: string | null
  /** Members when the plan was made; undefined if it did not exist. */
  base?: Members
  at?: Place
  fields: Field[]
  /**
   * Returns the members to store, given those stored now. Sids may be temporary ones of things that are created
   * earlier.
   */
  wanted: (stored: Members) => Members
  /** The place of a member in its file. */
  placeOf?: (path: readonly PropertyKey[]) => Place
}

export type Plan = {
  owner: Owner
  changes: Change[]
  /** Number of things that are already as the files say. */
  unchanged: number
  names: Names
  things: Things
}
type Things = ReadonlyMap<string, Thing[]>

/** The plan to make an owner's things match the files. Throws the problems of the files. */
export async function planned(
  api: Switchroom,
  owner: Owner,
  files: Files,
  environment: Environment,
  planning: Planning = {},
): Promise<Plan> {
  const things = await readThings(api, owner, new Set(files.keys()))
  const planner = new Planner(owner, things, environment, planning)
  const found = await planner.changes(api, files)
  refuse(planner.problems)
  return { owner, ...found, names: planner.names, things }
}

/** An item, and the thing it is about. */
type Meant = { item: Item; named: Named; isNew: boolean }

class Planner {
  problems: Problem[] = []
  names: Names
  #owner: Owner
  #things: Things
  #environment: Environment
  /** Values that came from the environment. */
  #secrets = new Set<string>()
  #account: string | null
  #planning: Planning
  constructor(owner: Owner, things: Things, environment: Environment, planning: Planning) {
    this.#planning = planning
    this.#owner = owner
    this.#things = things
    this.#environment = environment
    this.names = namesOf(things)
    this.#account = owner.account?.sid ?? null
  }

  async changes(api: Switchroom, files: Files) {
    const meant: Meant[] = []
    // what is referred to must be known, and is made, before what refers to it
    for (const kind of KINDS)
      for (const item of files.get(kind.file) ?? []) {
        const one = this.#meantBy(item)
        if (one) meant.push(one)
        await this.#planning.yieldIfDue?.()
      }
    this.#refuseTwice(meant)
    const { account } = this.#owner
    if (account && this.#account === null)
      this.problems.push({
        text: t('there is no account "{name}", and none in accounts.yaml', { name: account.name }),
      })
    const changeOf = async (one: Meant) => {
      await this.#planning.yieldIfDue?.()
      return this.#changeOf(api, one)
    }
    const changes = (await eachOf(meant, changeOf)).filter((change) => change !== undefined)
    const wanted = new Set(meant.map(({ named }) => named.sid))
    return {
      changes: [...changes, ...this.#deletions(files, wanted)],
      unchanged: meant.length - changes.length,
    }
  }

  #problem(place: Place, text: string, variable?: string) {
    this.problems.push({ ...place, text, ...(variable !== undefined && { variable }) })
  }

  /** The thing that an item is about, or a new one. */
  #meantBy(item: Item): Meant | undefined {
    const { kind, at } = item
    const account = this.#accountOf(item)
    if (account === undefined) return undefined
    const of = kind.parent ? this.#parentOf(item, account) : null
    if (of === undefined) return undefined
    const name = this.#nameIn(item)
    if (name === undefined) return undefined
    const found = this.#existing(item, name, account, of)
    if (found === 'none') return undefined
    // what exists once may be another account's until now
    if (found) return { item, named: { ...found, account }, isNew: false }
    if (kind.isUpdateOnly || (kind.file === 'accounts' && this.#account)) {
      const own = kind.file === 'accounts' ? this.#owner.account! : this.#owner.provider
      this.#problem(
        at(['name']),
        t('these files are applied to "{own}", not to "{name}"', { own: own.name, name }),
      )
      return undefined
    }
    const named = { kind, sid: newSid(), account, of, name }
    this.names.add(named)
    if (kind.file === 'accounts' && this.#owner.account) this.#account = named.sid
    return { item, named, isNew: true }
  }

  #accountOf({ kind, value, at }: Item): string | null | undefined {
    if (kind.file === 'accounts' || kind.file === 'service-providers') return null
    if (value.account === undefined || value.account === null) return this.#account
    return this.#referred('accounts', value.account, null, at(['account']))
  }

  #parentOf({ kind, value, at }: Item, account: string | null) {
    const { file, member } = kind.parent!
    if (file === 'accounts') return account ?? undefined
    const name = written(member)
    if (value[name] !== undefined) return this.#referred(file, value[name], account, at([name]))
    this.#problem(at(), t('{member} is missing', { member: name }))
    return undefined
  }

  /** Name of an item, as the server stores it. */
  #nameIn({ kind, value, at }: Item): string | undefined {
    const body = this.#bodyOf(kind)
    const schemas = membersIn(body, value) ?? {}
    const members: Members = {}
    for (const member of kind.nameMembers) {
      const given = typeof value[member] === 'string' ? withoutPrefix(value[member]) : value[member]
      const { data, error } = schemas[member]!.safeParse(
        typeof given === 'number' ? String(given) : given,
        PLAIN,
      )
      if (error) {
        this.#problem(at([member]), `${member}: ${error.issues[0]!.message}`)
        return undefined
      }
      members[member] = data
    }
    return nameOf(kind, members)
  }

  #existing({ kind, value, at }: Item, name: string, account: string | null, of: string | null) {
    // an account has its settings once it is there
    if (!kind.id) return this.names.bySid(kind.file, of!) ?? { kind, sid: of!, account, of, name }
    if (value.sid !== undefined) {
      const named = this.names.bySid(kind.file, String(value.sid))
      if (named?.thing?.isOwn) return named
      this.#problem(at(['sid']), t('there is no such thing in {kind}', { kind: kind.file }))
      return 'none'
    }
    const found = this.names
      .called(kind.file, name)
      .filter((one) => (kind.isNameGlobal || one.account === account) && one.of === of)
      .filter(({ thing }) => thing === undefined || thing.isOwn)
    if (found.length < 2) return found[0]
    this.#problem(
      at(),
      t('several are called "{name}". Say which by sid: {sids}', {
        name,
        sids: found.map((one) => one.sid).join(', '),
      }),
    )
    return 'none'
  }

  #refuseTwice(meant: Meant[]) {
    const seen = new Map<string, Item>()
    const keyOf = ({ kind, sid }: Named) => `${kind.file} ${sid}`
    for (const { item, named } of meant) {
      const first = seen.get(keyOf(named))
      if (first) {
        const { file, line } = first.at()
        this.#problem(
          item.at(),
          t('{name} is there twice, first in {place}', {
            name: named.name || named.kind.file,
            place: `${file}:${line}`,
          }),
        )
      } else seen.set(keyOf(named), item)
    }
  }

  /** Returns the sid that a text refers to; undefined, after an error was recorded, if there is none. */
  #referred(kind: string, value: unknown, account: string | null, place: Place) {
    if (typeof value !== 'string' && typeof value !== 'number') {
      this.#problem(place, t('this must be a name'))
      return undefined
    }
    const text = withoutPrefix(String(value))
    if (isSid(text) && this.names.bySid(kind, text)) return text
    const meant = this.names.meant(kind, text, account)
    if (meant.length === 1) return meant[0]!.sid
    this.#problem(
      place,
      meant.length === 0
        ? t('there is no "{name}" in {kind}', { name: text, kind })
        : t('several in {kind} are called "{name}". Say which by sid: {sids}', {
            kind,
            name: text,
            sids: meant.map(({ sid }) => sid).join(', '),
          }),
    )
    return undefined
  }

  async #changeOf(api: Switchroom, { item, named, isNew }: Meant): Promise<Change | undefined> {
    const { kind } = item
    let stored = named.thing ? this.#membersOf(named.thing) : {}
    const problems = this.problems.length
    let wanted = this.#wanted(item, named, stored)
    if (!wanted || this.problems.length > problems) return undefined
    let found = isNew ? [] : differing(kind, stored, wanted)
    const { thing } = named
    // a list shows no secrets, which a single read may
    if (thing && !kind.needsView && found.some(({ from }) => isMasked(from))) {
      stored = this.#membersOf({ ...thing, row: await view(api, this.#owner, thing) })
      wanted = this.#wanted(item, named, stored)!
      found = differing(kind, stored, wanted)
    }
    if (!isNew && found.length === 0) return undefined
    const isReplaced = found.some(({ path: [name], to }) => isImmutable(kind, name!, to))
    const { thing: _, ...anew } = named
    // nothing is kept of what is deleted
    if (isReplaced && !this.#wanted(item, anew, {})) return undefined
    const shown = isNew ? differing(kind, this.#usual(kind, wanted), wanted) : found
    return {
      action: isNew ? 'create' : isReplaced ? 'replace' : 'update',
      ...{ kind, name: named.name, account: named.account, sid: named.sid, of: named.of },
      ...(named.thing && { base: stored }),
      at: item.at(),
      fields: this.#shown(kind, named.account, shown, stored, wanted),
      wanted: (now) =>
        (isReplaced ? this.#wanted(item, anew, {}) : this.#wanted(item, named, now)) ?? {},
      placeOf: (path) => item.at(path.map((name) => written(String(name)))),
    }
  }

  /** A thing of which nothing is said. */
  #usual(kind: Kind, wanted: Members): Members {
    const schemas = membersOfKind(kind, this.#bodyOf(kind), wanted)
    return mapped(schemas, (schema, name) => usualOf(kind, name, schema as Schema))
  }

  #membersOf({ kind, row }: Thing) {
    const body = this.#bodyOf(kind)
    return {
      ...membersOfRow(kind, body, row),
      ...(hasAccount(kind) && { account_sid: row.account_sid ?? null }),
    }
  }

  /** Members of an item, as the API takes them. */
  #wanted(item: Item, named: Named, stored: Members): Members | undefined {
    const { kind, value } = item
    const body = this.#bodyOf(kind)
    const schemas = membersOfKind(kind, body, value)
    const known = ['sid', 'account', ...(kind.parent ? [written(kind.parent.member)] : [])]
    const own = Object.fromEntries(Object.entries(value).filter(([name]) => !known.includes(name)))
    const before = this.problems.length
    const within = kind.file === 'accounts' ? named.sid : named.account
    const sent = this.#object(item, schemas, own, stored, [], within)
    if (this.problems.length > before) return undefined
    const owners = hasAccount(kind) && { account_sid: named.account }
    const of = kind.parent && kind.id && { [kind.parent.member]: named.of }
    // of what there is already, secrets that are kept are masks, which no whole body may have
    const { data, error } =
      named.thing || !kind.id
        ? parsedMembers(schemas, sent)
        : body.safeParse({ ...sent, ...owners, ...of }, PLAIN)
    for (const { path, message } of error?.issues ?? []) {
      const names = path.map((name) => written(String(name)))
      this.#problem(item.at(names), `${names.join('.')}: ${message}`)
    }
    if (error) return undefined
    const parsed = membersOf(data)
    const pairs = Object.entries(schemas).map(([name, schema]) => [
      name,
      parsed[name] ?? usualOf(kind, name, schema),
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
          this.#problem(item.at(at), t('there is no member {member}', { member: at.join('.') }))
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
    return this.#referred(kind, value, account, item.at(path))
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
    if (isStored && this.#planning.sent?.has(variable.name)) return stored
    // a variable that is empty is a secret that somebody forgot
    if (value) {
      this.#secrets.add(value)
      return value
    }
    if (variable.isOptional && isStored) return stored
    this.#problem(
      item.at(path),
      variable.isOptional
        ? t('nothing is stored yet. Set {name} in the environment', variable)
        : t('{name} is not set in the environment', variable),
      variable.name,
    )
    return undefined
  }

  #shown(
    kind: Kind,
    account: string | null,
    found: Difference[],
    stored: Members,
    wanted: Members,
  ): Field[] {
    const response = endpointOf(groupOf(kind, account), 'view').response as Schema
    const schemas = membersOfKind(kind, this.#bodyOf(kind), wanted)
    const hide = (value: Members) => {
      const plain = replacing(response, value, () => SECRET) as Members
      return mapped(plain, (of, name) =>
        byName(this.#hidden(name, withFlags(schemas[name], of)), kind.lists?.[name]),
      )
    }
    const [before, after] = [hide(stored), hide(wanted)]
    return found.map(({ path, from }) => ({
      path: path.map(this.#memberName).join('.'),
      from: this.#named(path, reached(before, path)),
      to: isMasked(from) ? WRITTEN : this.#named(path, reached(after, path)),
    }))
  }

  /** Hides what came from the environment, and what is secret by its name. */
  #hidden(name: string, value: unknown): unknown {
    if (typeof value === 'string')
      return this.#secrets.has(value) || isSecretName(name) ? SECRET : value
    if (Array.isArray(value)) return value.map((of) => this.#hidden(name, of))
    return isRecord(value) ? mapped(value, (of, member) => this.#hidden(member, of)) : value
  }

  #bodyOf = (kind: Kind) => endpointOf(kind.group, bodyFrom(kind)).body as Schema

  /** Returns the name of a member for people: a row has that of the thing it refers to. */
  #memberName = (name: string) =>
    isSid(name) ? (this.names.bySid('voip-carriers', name)?.name ?? name) : written(name)

  #named(path: string[], value: unknown): unknown {
    const kind = REFERENCES[path.at(-1)!]
    if (kind && typeof value === 'string') return this.names.bySid(kind, value)?.name ?? value
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, of]) => [
        this.#memberName(name),
        this.#named([...path, name], of),
      ]),
    )
  }

  #deletions(files: Files, wanted: ReadonlySet<string>): Change[] {
    return [...KINDS].reverse().flatMap((kind) => {
      if (!files.has(kind.file) || !kind.id || kind.isUpdateOnly) return []
      return this.#things
        .get(kind.file)!
        .filter(({ isOwn, sid }) => isOwn && !wanted.has(sid))
        .map((thing) => ({
          action: 'delete' as const,
          ...{ kind, account: thing.account, sid: thing.sid, of: thing.of, fields: [] },
          name: nameOf(kind, thing.row),
          base: this.#membersOf(thing),
          wanted: () => ({}),
        }))
    })
  }
}

export const SECRET = t('(secret)')
/** Shown for a secret that is sent although nobody knows if it differs. */
export const WRITTEN = t('(secret, sent again: the server does not show it)')

/** True if a thing stays the same when it moves to another account. */
const hasAccount = ({ isNameGlobal, isUpdateOnly, file }: Kind) =>
  isNameGlobal === true && !isUpdateOnly && file !== 'accounts'

const newSid = () => crypto.randomUUID()

/** Options that give issues the server's own messages. */
const PLAIN = { error: plainError }

type Issue = { path: PropertyKey[]; message: string }
/** The members of a thing by their schemas, each by itself. */
function parsedMembers(schemas: Record<string, Schema>, sent: Members) {
  const issues: Issue[] = []
  const data = mapped(sent, (value, name) => {
    const { data, error } = schemas[name]!.safeParse(value, PLAIN)
    for (const { path, message } of error?.issues ?? [])
      issues.push({ path: [name, ...path], message })
    return data
  })
  return { data, error: issues.length > 0 ? { issues } : undefined }
}

function isImmutable({ immutable, bulkUpdate }: Kind, name: string, to: unknown) {
  const isGone = to === null || to === undefined
  return immutable?.includes(name) || (bulkUpdate?.members.includes(name) && isGone)
}

/** Value of a member that a file leaves out; undefined if it stays unchanged. */
function usualOf(kind: Kind, name: string, schema: Schema) {
  const usual = kind.defaults?.[name] ?? defaultOf(schema)
  if (usual !== undefined) return usual
  if (name === 'limits') return {}
  return schema.safeParse(null).success ? null : undefined
}

export const differing = (kind: Kind, from: Members, to: Members): Difference[] =>
  Object.keys(to).flatMap((name) =>
    differences(byName(from[name], kind.lists?.[name]), byName(to[name], kind.lists?.[name]), [
      name,
    ]),
  )

const isMasked = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes(MASK)
    : isRecord(value) && Object.values(value).some(isMasked)

function reached(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (from, name) => (isRecord(from) ? from[name] : from === SECRET ? SECRET : undefined),
    value,
  )
}
