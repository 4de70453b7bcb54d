import { ownAccount } from '../../lib/access'
import { send } from '../../lib/api'
import type { CopyRequest } from '../../lib/copy-as/requests'
import { type Sent, voipCarriers } from '../../lib/endpoints'
import type { Created } from '../../lib/failure'

type Create = Sent<typeof voipCarriers.create>

/** Account users create below their account, others below the provider; `body.account_sid` says who uses it. */
export const createRequest = (service_provider_sid: string, { body }: Create): CopyRequest => {
  const account_sid = ownAccount()
  return account_sid
    ? { endpoint: voipCarriers.createForAccount, sent: { params: { account_sid }, body } }
    : {
        endpoint: voipCarriers.createForServiceProvider,
        sent: { params: { service_provider_sid }, body },
      }
}

export async function createCarrier(service_provider_sid: string, sent: Create) {
  const request = createRequest(service_provider_sid, sent)
  // both endpoints reply alike
  return (await send(request.endpoint, request.sent)) as Created
}
