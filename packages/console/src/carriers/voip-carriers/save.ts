import { ownAccount } from '../../lib/access'
import { send } from '../../lib/api'
import { type Sent, voipCarriers } from '../../lib/endpoints'

/** Account users create below their account, others below the provider; `body.account_sid` says who uses it. */
export const createCarrier = (
  service_provider_sid: string,
  { body }: Sent<typeof voipCarriers.create>,
) => {
  const account_sid = ownAccount()
  return account_sid
    ? send(voipCarriers.createForAccount, { params: { account_sid }, body })
    : send(voipCarriers.createForServiceProvider, { params: { service_provider_sid }, body })
}
