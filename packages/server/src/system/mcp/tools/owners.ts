import { type Endpoint, membersOf } from '@switchroom/contract'
import { z } from 'zod'
import { Failure } from '../../../http/failure.ts'
import { ownerIn } from '../../../http/scope.ts'
import { type Caller, refusalIn } from '../caller.ts'

const Owner = z.string().max(64).optional()

/** The owner in question. */
export const ownerInput = {
  account_sid: Owner.describe('Of one account. If left out, of all that you may see.'),
  service_provider_sid: Owner.describe('Of one service provider and its accounts.'),
}

type Owned = { account_sid?: string; service_provider_sid?: string }

/** The owner that was named, or the caller's own; neither for administrators. */
export function ownerOf(args: Record<string, unknown>, { scope }: Caller): Owned {
  const { account_sid, service_provider_sid } = args
  if (account_sid) return { account_sid: String(account_sid) }
  if (service_provider_sid) return { service_provider_sid: String(service_provider_sid) }
  const own = ownerIn(scope)
  if (own.account_sid) return { account_sid: own.account_sid }
  return own.service_provider_sid ? { service_provider_sid: own.service_provider_sid } : {}
}

/** Path parameters. The caller's own account or service provider may be left out. */
export function paramsFor({ params: named }: Endpoint, given: unknown, { scope }: Caller) {
  const own = Object.entries(ownerIn(scope)).filter(([, sid]) => sid !== null)
  const params: Record<string, unknown> = { ...Object.fromEntries(own), ...membersOf(given) }
  const names = Object.keys(named?.shape ?? {})
  const missing = names.find((name) => !params[name])
  if (missing) throw new Failure('invalid', `Name params.${missing}`)
  return Object.fromEntries(names.map((name) => [name, params[name]]))
}

type ByOwner = { account: Endpoint; provider: Endpoint; all?: Endpoint }

/** Asks the endpoint that this owner has. */
export function askOf({ ask }: Caller, by: ByOwner, owner: Owned, query: object) {
  const e = owner.account_sid ? by.account : owner.service_provider_sid ? by.provider : by.all
  return e ? ask(e, { params: owner, query }) : undefined
}

/** The parts of an answer, each of which may be refused separately. */
export async function partsOf(parts: Record<string, () => Promise<unknown> | undefined>) {
  const asked = Object.entries(parts).map(async ([name, ask]) => [
    name,
    await Promise.resolve(ask()).catch(refusalIn),
  ])
  const found = await Promise.all(asked)
  return Object.fromEntries(found.filter(([, part]) => part !== undefined)) as Record<
    string,
    unknown
  >
}

/** Arguments without those that are no parameters of the endpoint. */
export const without = (args: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)))
