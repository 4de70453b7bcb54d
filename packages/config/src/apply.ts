import { NotFound, type Switchroom } from '@switchroom/client'
import { isRecord, LIMIT_CATEGORIES } from '@switchroom/contract'
import { digest, refuseChanged, refused } from './apply-refusals.ts'
import { KINDS, type Kind, REFERENCES } from './kinds.ts'
import { type Change, differing, type Plan } from './plan.ts'
import { ask, bodyFrom, endpointOf, groupOf, view } from './read.ts'
import { type Members, mapped, membersIn, membersOfRow, type Schema } from './shapes.ts'

/** One application of a plan. Its name is kept until it is done, so that nothing that was sent is done twice. */
export type Run = { name: string; isResumed: boolean }

export type Step = { change: Change; done: number; of: number }

export type Applied = {
  run: Run
  deletes: boolean
  onStep?: (step: Step) => void
  /** Stops it between two changes. */
  signal?: AbortSignal
}

/** Makes the changes of a plan, in an order in which each finds what it refers to. Deletions come last. */
export async function apply(
  api: Switchroom,
  plan: Plan,
  { run, deletes, onStep, signal }: Applied,
): Promise<number> {
  const applying = new Applying(api, plan, run)
  const changes = plan.changes.filter(
    ({ action }) => deletes || (action !== 'delete' && action !== 'replace'),
  )
  let done = 0
  let isDeleting = false
  for (const change of changes) {
    if (change.action === 'delete' && !isDeleting) {
      isDeleting = true
      await applying.finish()
      for (const one of changes) if (one.action === 'delete') await applying.release(one)
    }
    onStep?.({ change, done, of: changes.length })
    signal?.throwIfAborted()
    await applying.make(change)
    done += 1
  }
  await applying.finish()
  return done
}

class Applying {
  #api: Switchroom
  #plan: Plan
  #run: Run
  /** Sids of created things, by their temporary sids. */
  #sids = new Map<string, string>()
  #pending: Set<string>
  /** Members that refer to things that are created later. */
  #later: { change: Change; members: string[] }[] = []
  constructor(api: Switchroom, plan: Plan, run: Run) {
    this.#api = api
    this.#plan = plan
    this.#run = run
    const created = plan.changes.filter(({ action }) => action === 'create')
    this.#pending = new Set(created.map(({ sid }) => sid))
  }

  async make(change: Change) {
    try {
      if (change.action === 'create') await this.#create(change)
      else if (change.action === 'update') await this.#update(change)
      else {
        await this.#remove(change)
        if (change.action === 'replace') await this.#create(change)
      }
    } catch (error) {
      throw refused(change, error)
    }
  }

  /** Adds references that needed everything to be created first. */
  async finish() {
    for (const { change, members } of this.#later.splice(0)) {
      try {
        await this.#update(change, members)
      } catch (error) {
        throw refused(change, error)
      }
    }
  }

  async #create(change: Change) {
    const { kind, account, of } = change
    const body = this.#sendable(change, change.wanted(change.base ?? {}))
    const values = this.#values(change)
    const owners = ownersIn(kind, this.#real(account), this.#plan.owner.provider.sid)
    // a new thing without gateways or routes says nothing of them
    const said = Object.entries(body).filter(
      ([, value]) => !Array.isArray(value) || value.length > 0,
    )
    const sent = {
      ...mapped(Object.fromEntries(said), (value, name) =>
        name === 'limits' ? withoutNulls(value) : value,
      ),
      ...owners,
      ...(kind.parent && { [kind.parent.member]: this.#real(of) }),
    }
    const text = JSON.stringify([kind.file, change.name, sent])
    const create = (idempotencyKey?: string) =>
      ask(
        this.#api,
        [groupOf(kind, account), 'create'],
        values,
        { body: sent },
        { ...(idempotencyKey && { idempotencyKey }) },
      )
    let { sid } = await create(await digest(`${this.#run.name} ${text}`))
    const found = { kind, account: this.#real(account), sid: String(sid), of: this.#real(of) }
    if (this.#run.isResumed && !(await this.#exists(found))) sid = (await create()).sid
    this.#sids.set(change.sid, String(sid))
    this.#pending.delete(change.sid)
  }

  /** Checks that something created by an earlier run was not deleted since. */
  async #exists(thing: Parameters<typeof view>[2]) {
    try {
      await view(this.#api, this.#plan.owner, thing)
      return true
    } catch (error) {
      if (error instanceof NotFound) return false
      throw error
    }
  }

  /** Reads the current state of a thing. */
  async #now({ kind, account, of, sid, base }: Change) {
    const row = await view(this.#api, this.#plan.owner, {
      kind,
      account: this.#real(account),
      sid: this.#real(sid),
      of: this.#real(of),
    })
    const body = endpointOf(kind.group, bodyFrom(kind)).body as Schema
    const owner = base && 'account_sid' in base && { account_sid: row.account_sid ?? null }
    return { members: { ...membersOfRow(kind, body, row), ...owner }, version: row.version }
  }

  /** Removes a deleted thing's references to what is deleted before it. */
  async release(change: Change) {
    const { kind, base = {} } = change
    const order = KINDS.map(({ file }) => file)
    const names = Object.keys(base).filter(
      (name) => order.indexOf(REFERENCES[name] ?? '') > order.indexOf(kind.file),
    )
    if (names.length === 0) return
    try {
      const { members, version } = await this.#now(change)
      refuseChanged(change, base, members)
      await ask(this.#api, [groupOf(kind, change.account), 'update'], this.#values(change), {
        body: Object.fromEntries(names.map((name) => [name, null])),
        version,
      })
    } catch (error) {
      throw refused(change, error)
    }
    for (const name of names) delete base[name]
  }

  /** Updates what differs from the current state. `only`: these members, of a thing that was just created. */
  async #update(change: Change, only?: string[]) {
    const { kind, account } = change
    const { members: now, version } = await this.#now(change)
    if (!only && change.base) refuseChanged(change, change.base, now)
    const wanted = change.wanted(now)
    const found = differing(
      kind,
      now,
      mapped(wanted, (value) => this.#replaced(value)),
    )
    const changed = new Set(found.map(({ path }) => path[0]!))
    const { updatedTogether = [] } = kind
    const together = updatedTogether.some((name) => changed.has(name)) ? updatedTogether : []
    const names = only ?? [...changed, ...together]
    const all = this.#sendable(change, wanted)
    const members = Object.fromEntries(
      names.filter((name) => name in all).map((name) => [name, all[name]]),
    )
    const { one, many } = apart(kind, members)
    if (kind.bulkUpdate && Object.keys(many).length > 0)
      await ask(
        this.#api,
        [kind.group, 'updateMany'],
        {},
        {
          body: { select: { [kind.bulkUpdate.select]: [this.#real(change.sid)] }, ...many },
        },
      )
    if (Object.keys(one).length === 0) return
    await ask(this.#api, [groupOf(kind, account), 'update'], this.#values(change), {
      body: one,
      // what was changed by many a moment ago has another
      ...(version !== undefined && Object.keys(many).length === 0 && { version }),
    })
  }

  async #remove(change: Change) {
    const now = await this.#now(change).catch((error: unknown) => {
      if (error instanceof NotFound) return undefined
      throw error
    })
    // somebody else has deleted it
    if (!now) return
    refuseChanged(change, change.base ?? {}, now.members)
    const e = endpointOf(groupOf(change.kind, change.account), 'remove')
    await ask(this.#api, [groupOf(change.kind, change.account), 'remove'], this.#values(change), {
      ...(e.body && { body: {} }),
    })
  }

  #real<S extends string | null>(sid: S) {
    return (this.#sids.get(sid ?? '') ?? sid) as S
  }

  /** Values for the path parameters of its endpoints. */
  #values({ kind, sid, account, of }: Change): Members {
    return {
      service_provider_sid: this.#plan.owner.provider.sid,
      ...(account !== null && { account_sid: this.#real(account) }),
      ...(kind.parent && { [kind.parent.member]: this.#real(of) }),
      ...(kind.id && { [kind.id]: this.#real(sid) }),
    }
  }

  /** A body with real sids. Members that refer to what is not created yet are left for later. */
  #sendable(change: Change, wanted: Members): Members {
    const isLate = ([, value]: [string, unknown]) => this.#refersToPending(value)
    const late = Object.entries(wanted)
      .filter(isLate)
      .map(([name]) => name)
    if (late.length > 0) this.#later.push({ change, members: late })
    const ready = Object.entries(wanted).filter(([name]) => !late.includes(name))
    return mapped(Object.fromEntries(ready), (value, name) =>
      name === 'limits' ? allLimits(value) : this.#replaced(value),
    )
  }

  #refersToPending = (value: unknown): boolean =>
    typeof value === 'string'
      ? this.#pending.has(value)
      : partsOf(value).some(this.#refersToPending)

  #replaced(value: unknown): unknown {
    if (typeof value === 'string') return this.#real(value)
    if (Array.isArray(value)) return value.map((of) => this.#replaced(of))
    return isRecord(value) ? mapped(value, (of) => this.#replaced(of)) : value
  }
}

/** Members that are changed by `updateMany`, and the others. */
function apart({ bulkUpdate }: Kind, members: Members) {
  const isMany = ([name]: [string, unknown]) => bulkUpdate?.members.includes(name) ?? false
  const all = Object.entries(members)
  return {
    one: Object.fromEntries(all.filter((one) => !isMany(one))),
    many: Object.fromEntries(all.filter(isMany)),
  }
}

const partsOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []

/** Returns all limits: an omitted category no longer has one. */
const allLimits = (value: unknown) =>
  Object.fromEntries(LIMIT_CATEGORIES.map((name) => [name, (value as Members)[name] ?? null]))
const withoutNulls = (value: unknown) =>
  Object.fromEntries(Object.entries(value as Members).filter(([, of]) => of !== null))

/** Members of a new thing that name its owner. */
function ownersIn(kind: Kind, account: string | null, provider: string) {
  const body = endpointOf(kind.group, bodyFrom(kind)).body as Schema
  const takes = membersIn(body, {}) ?? {}
  if (kind.file === 'accounts') return { service_provider_sid: provider }
  if (account !== null) return 'account_sid' in takes ? { account_sid: account } : {}
  return 'service_provider_sid' in takes ? { service_provider_sid: provider } : {}
}
