import { isRecord, isSecretName, MASK, t } from '@switchroom/contract'
import { byName, type Difference } from './differences.ts'
import { bodyOf } from './kind-members.ts'
import { type Kind, REFERENCES } from './kinds.ts'
import { isSid, type Names } from './names.ts'
import { endpointOf, groupOf } from './read.ts'
import {
  type Members,
  mapped,
  membersOfKind,
  replacing,
  type Schema,
  withFlags,
  written,
} from './shapes.ts'

/** A member that would change, as people read it: names for sids, nothing of a secret. */
export type Field = { path: string; from: unknown; to: unknown }

export const SECRET = t('(secret)')
/** Shown for a secret that is sent although nobody knows if it differs. */
export const WRITTEN = t('(secret, sent again: the server does not show it)')

/** Shows differences to people. */
export class ShownFields {
  #names: Names
  #secrets: ReadonlySet<string>
  /** `secrets`: values that are never shown. */
  constructor(names: Names, secrets: ReadonlySet<string>) {
    this.#names = names
    this.#secrets = secrets
  }

  of(
    kind: Kind,
    account: string | null,
    found: Difference[],
    stored: Members,
    wanted: Members,
  ): Field[] {
    const response = endpointOf(groupOf(kind, account), 'view').response as Schema
    const schemas = membersOfKind(kind, bodyOf(kind), wanted)
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

  /** Returns the name of a member for people: a row has that of the thing it refers to. */
  #memberName = (name: string) =>
    isSid(name) ? (this.#names.bySid('voip-carriers', name)?.name ?? name) : written(name)

  #named(path: string[], value: unknown): unknown {
    const kind = REFERENCES[path.at(-1)!]
    if (kind && typeof value === 'string') return this.#names.bySid(kind, value)?.name ?? value
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, of]) => [
        this.#memberName(name),
        this.#named([...path, name], of),
      ]),
    )
  }
}

export const isMasked = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes(MASK)
    : isRecord(value) && Object.values(value).some(isMasked)

function reached(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (from, name) => (isRecord(from) ? from[name] : from === SECRET ? SECRET : undefined),
    value,
  )
}
