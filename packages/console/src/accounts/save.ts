import { accounts, type Sent } from '@switchroom/contract'
import { send } from '../lib/api'
import { capabilities } from '../lib/capabilities'
import { type Created, messageOf } from '../lib/failure'
import { saveLimitsOneByOne } from '../lib/save-limits'

/** With its limits: in one call where the server takes them, otherwise one after the other. */
export const saveAccount = {
  async create(sent: Sent<typeof accounts.create>): Promise<Created> {
    if (await capabilities()) return send(accounts.create, sent)
    // a stock server stores a credential readably on its first call, and nobody can open it
    const { limits, bucket_credential, ...body } = sent.body
    const { sid } = await send(accounts.create, { body })
    try {
      if (bucket_credential)
        await send(accounts.update, { params: { account_sid: sid }, body: { bucket_credential } })
      await saveLimitsOneByOne({ account_sid: sid }, limits)
    } catch (e) {
      return { sid, unsaved: messageOf(e) }
    }
    return { sid }
  },
  async update(sent: Sent<typeof accounts.update>) {
    if (await capabilities()) return send(accounts.update, sent)
    const { limits, ...body } = sent.body
    await send(accounts.update, { params: sent.params, body })
    await saveLimitsOneByOne(sent.params, limits)
  },
}
