import type { Switchroom } from '@switchroom/client'
import { t } from '@switchroom/contract'
import { byName, type Difference, differences } from './differences.ts'
import type { Files } from './files.ts'
import { defaultMembers, storedMembers } from './kind-members.ts'
import { KINDS, type Kind } from './kinds.ts'
import { type Meant, MeantThings } from './meant-things.ts'
import { type Names, nameOf, namesOf } from './names.ts'
import { type Place, Problems, refuse } from './problem.ts'
import { eachOf, type Owner, readThings, type Thing, view } from './read.ts'
import { type Members, written } from './shapes.ts'
import { type Field, isMasked, ShownFields } from './shown-fields.ts'
import { type Environment, WantedMembers } from './wanted-members.ts'
import type { YieldIfDue } from './yield-if-due.ts'

export type Planning = {
  yieldIfDue?: YieldIfDue
  /** Variables whose values were just sent: what is stored is what they say. */
  sent?: ReadonlySet<string>
}

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
  refuse(planner.problems.all)
  return { owner, ...found, names: planner.names, things }
}

class Planner {
  problems = new Problems()
  names: Names
  #owner: Owner
  #things: Things
  #yieldIfDue: YieldIfDue | undefined
  #meant: MeantThings
  #members: WantedMembers
  #shown: ShownFields
  constructor(
    owner: Owner,
    things: Things,
    environment: Environment,
    { yieldIfDue, sent }: Planning,
  ) {
    this.#owner = owner
    this.#things = things
    this.#yieldIfDue = yieldIfDue
    this.names = namesOf(things)
    this.#meant = new MeantThings(owner, this.names, this.problems)
    this.#members = new WantedMembers(this.#meant, this.problems, environment, sent)
    this.#shown = new ShownFields(this.names, this.#members.secrets)
  }

  async changes(api: Switchroom, files: Files) {
    const meant: Meant[] = []
    // what is referred to must be known, and is made, before what refers to it
    for (const kind of KINDS)
      for (const item of files.get(kind.file) ?? []) {
        const one = this.#meant.meantBy(item)
        if (one) meant.push(one)
        await this.#yieldIfDue?.()
      }
    this.#meant.refuseTwice(meant)
    const { account } = this.#owner
    if (account && this.#meant.account === null)
      this.problems.all.push({
        text: t('there is no account "{name}", and none in accounts.yaml', { name: account.name }),
      })
    const changeOf = async (one: Meant) => {
      await this.#yieldIfDue?.()
      return this.#changeOf(api, one)
    }
    const changes = (await eachOf(meant, changeOf)).filter((change) => change !== undefined)
    const wanted = new Set(meant.map(({ named }) => named.sid))
    return {
      changes: [...changes, ...this.#deletions(files, wanted)],
      unchanged: meant.length - changes.length,
    }
  }

  async #changeOf(api: Switchroom, { item, named, isNew }: Meant): Promise<Change | undefined> {
    const { kind } = item
    let stored = named.thing ? storedMembers(named.thing) : {}
    const problems = this.problems.all.length
    let wanted = this.#members.of(item, named, stored)
    if (!wanted || this.problems.all.length > problems) return undefined
    let found = isNew ? [] : differing(kind, stored, wanted)
    const { thing } = named
    // a list shows no secrets, which a single read may
    if (thing && !kind.needsView && found.some(({ from }) => isMasked(from))) {
      stored = storedMembers({ ...thing, row: await view(api, this.#owner, thing) })
      wanted = this.#members.of(item, named, stored)!
      found = differing(kind, stored, wanted)
    }
    if (!isNew && found.length === 0) return undefined
    const isReplaced = found.some(({ path: [name], to }) => isImmutable(kind, name!, to))
    const { thing: _, ...anew } = named
    // nothing is kept of what is deleted
    if (isReplaced && !this.#members.of(item, anew, {})) return undefined
    const shown = isNew ? differing(kind, defaultMembers(kind, wanted), wanted) : found
    return {
      action: isNew ? 'create' : isReplaced ? 'replace' : 'update',
      ...{ kind, name: named.name, account: named.account, sid: named.sid, of: named.of },
      ...(named.thing && { base: stored }),
      at: item.at(),
      fields: this.#shown.of(kind, named.account, shown, stored, wanted),
      wanted: (now) =>
        (isReplaced ? this.#members.of(item, anew, {}) : this.#members.of(item, named, now)) ?? {},
      placeOf: (path) => item.at(path.map((name) => written(String(name)))),
    }
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
          base: storedMembers(thing),
          wanted: () => ({}),
        }))
    })
  }
}

function isImmutable({ immutable, bulkUpdate }: Kind, name: string, to: unknown) {
  const isGone = to === null || to === undefined
  return immutable?.includes(name) || (bulkUpdate?.members.includes(name) && isGone)
}

export const differing = (kind: Kind, from: Members, to: Members): Difference[] =>
  Object.keys(to).flatMap((name) =>
    differences(byName(from[name], kind.lists?.[name]), byName(to[name], kind.lists?.[name]), [
      name,
    ]),
  )
