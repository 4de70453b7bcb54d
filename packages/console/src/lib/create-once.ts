import { newKey } from '@switchroom/client/key'
import { IDEMPOTENCY_HEADER, type Transport } from '@switchroom/contract'

/**
 * Names what is created by a key, which is sent again if the same is sent again and no answer came before: the server
 * then creates it once.
 */
export const createOnce =
  (via: Transport, unanswered: Map<string, string>): Transport =>
  async (method, path, body, headers) => {
    const what = JSON.stringify([path, body])
    const key = unanswered.get(what) ?? newKey()
    unanswered.set(what, key)
    const answer = await via(method, path, body, { ...headers, [IDEMPOTENCY_HEADER]: key })
    // a server that failed may have created it before
    if (answer.status < 500) unanswered.delete(what)
    return answer
  }
