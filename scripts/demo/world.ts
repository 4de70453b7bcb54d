import type { Api } from './api.ts'
import type { Sector } from './dialogues.ts'
import type { Country } from './numbers.ts'

/** Things that the demo has made through the API, by the sids that it was given. */

export type ApplicationKind = 'assistant' | 'menu' | 'reminder' | 'agent'
export type Application = { sid: string; kind: ApplicationKind; name: string; url: string }
export type Account = {
  sid: string
  name: string
  provider: string
  provider_sid: string
  realm: string
  sector: Sector
  country: Country
  size: number
  /** Usernames of its SIP clients. */
  phones: string[]
  /** Each leads to the application of the same place. */
  numbers: string[]
  applications: Application[]
}
export type World = { accounts: Account[] }

/** The world without the accounts that somebody has deleted. The same object if nothing is missing. */
export async function existing(api: Api, world: World): Promise<World> {
  const rows = await api<{ account_sid: string }[]>('GET', '/Accounts')
  const sids = new Set(rows.map((a) => a.account_sid))
  const accounts = world.accounts.filter(({ sid }) => sids.has(sid))
  return accounts.length === world.accounts.length ? world : { ...world, accounts }
}
