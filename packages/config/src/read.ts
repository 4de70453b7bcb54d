import type { Switchroom } from '@switchroom/client'
import { api as contract, type Endpoint, type Group } from '@switchroom/contract'
import { KINDS, type Kind, kindOf, REFERENCES } from './kinds.ts'
import { type Members, membersIn, referencesIn, type Schema } from './shapes.ts'

/** Owner of a configuration: an account, or a provider with all of its accounts. */
export type Owner = {
  account?: { /** Undefined while it is to be created. */ sid?: string; name: string }
  provider: { sid: string; name: string }
}

/** An existing thing. */
export type Thing = {
  kind: Kind
  sid: string
  /** Sid of the account that it belongs to; null if it is its provider's, or an account itself. */
  account: string | null
  /** Sid of the thing that it is a part of. */
  of: string | null
  row: Members
  /** True if it belongs to the owner; others are only referred to. */
  isOwn: boolean
}

type Call = ((request: object, options?: object) => Promise<unknown>) & {
  items: (request: object) => AsyncIterable<Members>
}

const PAGE = 10_000
const AT_ONCE = 6

export const endpointOf = (group: string, name: string): Endpoint =>
  (contract as Record<string, Group>)[group]![name]!
const callOf = (api: Switchroom, group: string, name: string) =>
  (api as unknown as Record<string, Record<string, Call>>)[group]![name]!

const paramsIn = (path: string, values: Members) =>
  Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name!, values[name!]]))

/** Calls an endpoint. `values` has what its path needs. */
export const ask = (
  api: Switchroom,
  [group, name]: [string, string],
  values: Members,
  more: object = {},
  options: object = {},
) =>
  callOf(
    api,
    group,
    name,
  )(
    { params: paramsIn(endpointOf(group, name).path, values), ...more },
    options,
  ) as Promise<Members>

async function listed(api: Switchroom, name: string, values: Members): Promise<Members[]> {
  const [group, endpoint] = name.split('.') as [string, string]
  const { path, query } = endpointOf(group, endpoint)
  const takes = Object.keys((query && membersIn(query, {})) ?? {})
  const params = paramsIn(path, values)
  const asked = Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => takes.includes(key) && !(key in params) && value,
    ),
  )
  if (!takes.includes('page'))
    return (await callOf(api, group, endpoint)({ params, query: asked })) as unknown as Members[]
  const request = { params, query: { ...asked, page_size: PAGE } }
  return Array.fromAsync(callOf(api, group, endpoint).items(request))
}

/** Runs a few at once, and keeps their order. */
export async function eachOf<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(all.length)
  let next = 0
  const worker = async () => {
    for (let i = next++; i < all.length; i = next++) results[i] = await work(all[i]!)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

/** Returns the group of a thing's endpoints: some kinds have another for a provider's things. */
export const groupOf = (kind: Kind, account: string | null) =>
  account === null ? (kind.providerGroup ?? kind.group) : kind.group

/** Reads a thing by itself. */
export const view = (
  api: Switchroom,
  owner: Owner,
  thing: Pick<Thing, 'kind' | 'account' | 'sid' | 'of'>,
) => {
  const { kind, account, sid, of } = thing
  return ask(api, [groupOf(kind, account), 'view'], {
    service_provider_sid: owner.provider.sid,
    account_sid: account ?? sid,
    ...(kind.parent && { [kind.parent.member]: of }),
    ...(kind.id && { [kind.id]: sid }),
  })
}

/**
 * Reads things of these kinds, and what they are parts of and refer to. `whole`: the kinds of which more is needed than their
 * names.
 */
export async function readThings(api: Switchroom, owner: Owner, whole: ReadonlySet<string>) {
  const named = namedBy(whole)
  const things = new Map<string, Thing[]>()
  for (const kind of KINDS) {
    const found = named.has(kind.file) ? await read(api, owner, kind, things) : []
    const isWhole = kind.needsView && whole.has(kind.file)
    things.set(kind.file, isWhole ? await eachOf(found, (one) => viewed(api, owner, one)) : found)
  }
  return things
}

const viewed = async (api: Switchroom, owner: Owner, thing: Thing) =>
  thing.isOwn ? { ...thing, row: await view(api, owner, thing) } : thing

async function read(
  api: Switchroom,
  owner: Owner,
  kind: Kind,
  known: ReadonlyMap<string, Thing[]>,
): Promise<Thing[]> {
  const { account, provider } = owner
  const one = (sid: string, row: Members = {}): Thing => ({
    ...{ kind, sid, row, account: null, of: null, isOwn: true },
  })
  if (kind.file === 'service-providers')
    return account ? [] : [one(provider.sid, { name: provider.name })]
  if (kind.file === 'accounts' && account)
    return account.sid ? [one(account.sid, { name: account.name })] : []
  const parents =
    kind.parent && known.get(kind.parent.file)!.filter((parent) => isParent(kind, parent))
  if (parents && !kind.listEndpoints)
    return parents.map(({ sid }) => ({ ...one(sid), account: sid, of: sid }))
  if (parents)
    return (
      await eachOf(parents, async ({ sid, account }) =>
        (
          await listed(api, kind.listEndpoints!.account, { [kind.parent!.member]: sid })
        ).map((row) => ({
          ...one(String(row[kind.id!]), row),
          account,
          of: sid,
        })),
      )
    ).flat()
  if (account && !account.sid) return []
  const lists = account
    ? [{ name: kind.listEndpoints!.account, values: { account_sid: account.sid } }]
    : [
        {
          name: kind.listEndpoints!.provider,
          values: { service_provider_sid: provider.sid, all: 1 } as Members,
        },
        ...(kind.providerListsOwn ? known.get('accounts')! : []).map(({ sid }) => ({
          name: kind.listEndpoints!.account,
          values: { account_sid: sid } as Members,
        })),
      ]
  const rows = (await eachOf(lists, ({ name, values }) => listed(api, name, values))).flat()
  const bySid = new Map(rows.map((row) => [String(row[kind.id!]), row]))
  return [...bySid].map(([sid, row]) => {
    const whose = kind.file === 'accounts' ? null : ((row.account_sid as string | null) ?? null)
    return { ...one(sid, row), account: whose, isOwn: !account || whose === account.sid }
  })
}

const isParent = (kind: Kind, parent: Thing) =>
  parent.isOwn &&
  Object.entries(kind.parent?.where ?? {}).every(([name, value]) => parent.row[name] === value)

/** These kinds, what they are parts of, and what they refer to. */
function namedBy(files: ReadonlySet<string>) {
  const all = new Set(['accounts', 'service-providers'])
  const add = (file: string) => {
    all.add(file)
    const parent = kindOf(file)?.parent
    if (parent) add(parent.file)
  }
  for (const file of files) {
    add(file)
    const { body } = endpointOf(kindOf(file)!.group, bodyFrom(kindOf(file)!))
    for (const name of referencesIn(body as Schema)) add(REFERENCES[name]!)
  }
  return all
}

/** Name of the endpoint whose body has a thing's members: settings are never created. */
export const bodyFrom = (kind: Kind) => (kind.id && !kind.isUpdateOnly ? 'create' : 'update')
