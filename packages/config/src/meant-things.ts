import { t } from '@switchroom/contract'
import type { Item } from './files.ts'
import { bodyOf, PLAIN } from './kind-members.ts'
import { isSid, type Named, type Names, nameOf } from './names.ts'
import type { Place, Problems } from './problem.ts'
import type { Owner } from './read.ts'
import { type Members, membersIn, written } from './shapes.ts'
import { withoutPrefix } from './values.ts'

/** An item, and the thing it is about. */
export type Meant = { item: Item; named: Named; isNew: boolean }

/** Finds the things that the items of files, and names in them, are about. */
export class MeantThings {
  #owner: Owner
  #names: Names
  #problems: Problems
  /** Account of items that name none: the owner's, once it is known. */
  account: string | null
  constructor(owner: Owner, names: Names, problems: Problems) {
    this.#owner = owner
    this.#names = names
    this.#problems = problems
    this.account = owner.account?.sid ?? null
  }

  /** The thing that an item is about, or a new one. */
  meantBy(item: Item): Meant | undefined {
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
    if (kind.isUpdateOnly || (kind.file === 'accounts' && this.account)) {
      const own = kind.file === 'accounts' ? this.#owner.account! : this.#owner.provider
      this.#problems.at(
        at(['name']),
        t('these files are applied to "{own}", not to "{name}"', { own: own.name, name }),
      )
      return undefined
    }
    const named = { kind, sid: crypto.randomUUID(), account, of, name }
    this.#names.add(named)
    if (kind.file === 'accounts' && this.#owner.account) this.account = named.sid
    return { item, named, isNew: true }
  }

  #accountOf({ kind, value, at }: Item): string | null | undefined {
    if (kind.file === 'accounts' || kind.file === 'service-providers') return null
    if (value.account === undefined || value.account === null) return this.account
    return this.referred('accounts', value.account, null, at(['account']))
  }

  #parentOf({ kind, value, at }: Item, account: string | null) {
    const { file, member } = kind.parent!
    if (file === 'accounts') return account ?? undefined
    const name = written(member)
    if (value[name] !== undefined) return this.referred(file, value[name], account, at([name]))
    this.#problems.at(at(), t('{member} is missing', { member: name }))
    return undefined
  }

  /** Name of an item, as the server stores it. */
  #nameIn({ kind, value, at }: Item): string | undefined {
    const body = bodyOf(kind)
    const schemas = membersIn(body, value) ?? {}
    const members: Members = {}
    for (const member of kind.nameMembers) {
      const given = typeof value[member] === 'string' ? withoutPrefix(value[member]) : value[member]
      const { data, error } = schemas[member]!.safeParse(
        typeof given === 'number' ? String(given) : given,
        PLAIN,
      )
      if (error) {
        this.#problems.at(at([member]), `${member}: ${error.issues[0]!.message}`)
        return undefined
      }
      members[member] = data
    }
    return nameOf(kind, members)
  }

  #existing({ kind, value, at }: Item, name: string, account: string | null, of: string | null) {
    // an account has its settings once it is there
    if (!kind.id) return this.#names.bySid(kind.file, of!) ?? { kind, sid: of!, account, of, name }
    if (value.sid !== undefined) {
      const named = this.#names.bySid(kind.file, String(value.sid))
      if (named?.thing?.isOwn) return named
      this.#problems.at(at(['sid']), t('there is no such thing in {kind}', { kind: kind.file }))
      return 'none'
    }
    const found = this.#names
      .called(kind.file, name)
      .filter((one) => (kind.isNameGlobal || one.account === account) && one.of === of)
      .filter(({ thing }) => thing === undefined || thing.isOwn)
    if (found.length < 2) return found[0]
    this.#problems.at(
      at(),
      t('several are called "{name}". Say which by sid: {sids}', {
        name,
        sids: found.map((one) => one.sid).join(', '),
      }),
    )
    return 'none'
  }

  refuseTwice(meant: Meant[]) {
    const seen = new Map<string, Item>()
    const keyOf = ({ kind, sid }: Named) => `${kind.file} ${sid}`
    for (const { item, named } of meant) {
      const first = seen.get(keyOf(named))
      if (first) {
        const { file, line } = first.at()
        this.#problems.at(
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
  referred(kind: string, value: unknown, account: string | null, place: Place) {
    if (typeof value !== 'string' && typeof value !== 'number') {
      this.#problems.at(place, t('this must be a name'))
      return undefined
    }
    const text = withoutPrefix(String(value))
    if (isSid(text) && this.#names.bySid(kind, text)) return text
    const meant = this.#names.meant(kind, text, account)
    if (meant.length === 1) return meant[0]!.sid
    this.#problems.at(
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
}
