import type * as contract from '@switchroom/contract'
import { callUnchecked } from '@switchroom/contract'
import type { Endpoint, Reply, Sent } from './endpoints'

/** Calls an endpoint. Throws `ApiError` for every response that is not a success. */
export const call = async <E extends Endpoint>(via: contract.Transport, e: E, sent: Sent<E>) =>
  // responses match the schema: the server checks them by it before sending
  (await callUnchecked(via, e, sent)) as Reply<E>
