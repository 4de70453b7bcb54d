import { type PhoneNumberItem, t } from '@switchroom/contract'
import { accounts, applications, phoneNumbers, voipCarriers } from '../endpoints'
import { PartlySaved } from '../partly-saved'
import { namesOf, pageOf, pageOrRows, rowsOf } from './lists'
import { on, type Send } from './server'
import { reasonOf } from './steps'

/** Adds names of related resources, and members the server has no column for. */
async function withNames(rows: readonly PhoneNumberItem[], send: Send) {
  const all = { query: {} }
  const [account, application, carrier] = await Promise.all([
    namesOf(send, accounts.list, all, 'account_sid'),
    namesOf(send, applications.list, all, 'application_sid'),
    namesOf(send, voipCarriers.list, all, 'voip_carrier_sid'),
  ])
  return rows.map((n) => ({
    ...n,
    description: null,
    account_name: account(n.account_sid),
    application_name: application(n.application_sid),
    voip_carrier_name: carrier(n.voip_carrier_sid),
  }))
}

export const forNumbers = [
  on(phoneNumbers.list, async ({ query }, { send }) => {
    const { sort, page, page_size, ...filters } = query
    const ordered = sort === undefined || sort === 'number'
    const request = { ...filters, ...(ordered && { page, page_size }) }
    const reply = await pageOrRows(send, phoneNumbers.list, { query: request })
    if (page === undefined) return reply
    const result = Array.isArray(reply) ? pageOf(reply, { page, page_size, sort }) : reply
    const data = await withNames(result.data, send)
    return { ...result, page: Number(page), page_size: Number(page_size ?? 50), data }
  }),

  on(phoneNumbers.ofServiceProvider, async ({ params, query }, { send }) => {
    const { account_sid, ...paging } = query
    const all = await rowsOf(send, phoneNumbers.ofServiceProvider, { params, query: {} })
    const rows = all.filter((n) => !account_sid || n.account_sid === account_sid)
    const result = pageOf(rows, paging)
    return { ...result, data: await withNames(result.data, send) }
  }),

  on(phoneNumbers.view, async ({ params }, { send }) => ({
    ...(await send(phoneNumbers.view, { params })),
    description: null,
  })),

  on(phoneNumbers.create, ({ body: { description: _, ...body } }, { send }) =>
    send(phoneNumbers.create, { body }),
  ),

  // number and carrier cannot be changed, and the server would store null
  on(
    phoneNumbers.update,
    ({ params, body: { description: _, number: __, voip_carrier_sid: ___, ...body } }, { send }) =>
      send(phoneNumbers.update, { params, body }),
  ),

  on(phoneNumbers.updateMany, async ({ body: { select, description: _, ...body } }, { send }) => {
    const sids =
      'matching' in select
        ? (await rowsOf(send, phoneNumbers.list, { query: select.matching })).map(
            (n) => n.phone_number_sid,
          )
        : select.phone_number_sids
    for (const [i, phone_number_sid] of sids.entries())
      try {
        await send(phoneNumbers.update, { params: { phone_number_sid }, body })
      } catch (e) {
        throw new PartlySaved(
          t('{changed} of {count} phone numbers were changed. {reason}', {
            changed: i,
            count: sids.length,
            reason: reasonOf(e),
          }),
        )
      }
    return { changed: sids.length }
  }),
]
