import type { Transport } from '@switchroom/contract'
import { call } from '../call'
import type { Endpoint, Reply, Sent } from '../endpoints'
import { forAccounts } from './accounts'
import { forApplications } from './applications'
import { forCarriers } from './carriers'
import { forDevices } from './devices'
import { clearLookUps, sendPaged } from './lists'
import { forNumbers } from './numbers'
import { forProviders } from './providers'
import { notOffered, toContractError } from './refuse'
import { forOtherEndpoints } from './rest'
import { forRouting } from './routing'
import type { Send, Server } from './server'
import { forSpeech } from './speech'
import { forUsers } from './users'

/**
 * Adapts a stock API server to the contract: what it lacks, what it expects, how it behaves. Nothing else in
 * the console knows about it. Loaded only for such a server.
 */
const HANDLERS = new Map([
  ...forUsers,
  ...forAccounts,
  ...forProviders,
  ...forApplications,
  ...forCarriers,
  ...forNumbers,
  ...forDevices,
  ...forRouting,
  ...forSpeech,
  ...forOtherEndpoints,
])

export async function askStock<E extends Endpoint>(
  via: Transport,
  around: Omit<Server, 'send'>,
  e: E,
  sent: Sent<E>,
): Promise<Reply<E>> {
  const send: Send = async (e, sent) => {
    try {
      return await call(via, e, sent)
    } catch (error) {
      throw toContractError(e, error)
    }
  }
  const handle = HANDLERS.get(e)
  if (!handle && e.own) throw notOffered()
  if (e.method !== 'GET') clearLookUps()
  const reply = await (handle ? handle(sent, { ...around, send }) : sendPaged(e, sent, send))
  if (e.method !== 'GET') clearLookUps()
  // handlers are found by their endpoint, so this is its reply
  return reply as Reply<E>
}
