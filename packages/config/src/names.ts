import type { Kind } from './kinds.ts'
import type { Thing } from './read.ts'
import type { Members } from './shapes.ts'

/** Anything that can be referred to: stored things, and those that files will create, under a temporary sid. */
export type Named = {
  kind: Kind
  sid: string
  account: string | null
  of: string | null
  name: string
  thing?: Thing
}

const PARTED = ' / '

/** Name of a thing. The values of several members are joined by a separator. */
export const nameOf = (kind: Kind, members: Members) =>
  kind.nameMembers
    .map((name) => members[name] ?? '')
    .filter((part, i) => i === 0 || part !== '')
    .join(PARTED)

const SID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
export const isSid = (text: string) => SID.test(text)

/** Finds things by their names, and their names by sid. */
export class Names {
  #bySid = new Map<string, Named>()
  #byName = new Map<string, Named[]>()
  add(one: Named) {
    this.#bySid.set(`${one.kind.file} ${one.sid}`, one)
    const key = `${one.kind.file} ${one.name}`
    const others = this.#byName.get(key)
    if (others) others.push(one)
    else this.#byName.set(key, [one])
  }
  bySid(kind: string, sid: string) {
    return this.#bySid.get(`${kind} ${sid}`)
  }
  called(kind: string, name: string): readonly Named[] {
    return this.#byName.get(`${kind} ${name}`) ?? []
  }
  /**
   * Things that a name means to a thing of this account: its own first, else its provider's. Several if the name is
   * ambiguous.
   */
  meant(kind: string, name: string, account: string | null): readonly Named[] {
    const found = this.called(kind, name)
    const isAccount = kind === 'accounts'
    const own = found.filter((one) => one.account === account)
    if (isAccount || own.length > 0) return isAccount ? found : own
    return found.filter((one) => one.account === null)
  }
  /** Returns a thing's reference to another: its name if that is unambiguous, else its sid. */
  reference(kind: string, sid: string, account: string | null) {
    const target = this.bySid(kind, sid)
    if (!target || target.name === '' || isSid(target.name)) return sid
    const meant = this.meant(kind, target.name, account)
    return meant.length === 1 && meant[0] === target ? target.name : sid
  }
}

export function namesOf(things: ReadonlyMap<string, Thing[]>) {
  const names = new Names()
  for (const found of things.values())
    for (const thing of found) {
      const { kind, sid, account, of, row } = thing
      names.add({ kind, sid, account, of, name: nameOf(kind, row), thing })
    }
  return names
}
