import { type SpeechCredential, vendorName, vendorOf } from '@switchroom/contract'
import {
  accountSpeechCredentials,
  accounts,
  providerSpeechCredentials,
  speechCatalogues,
} from '../endpoints'
import { lookUp, namesOf, pageOf, rowsOf } from './lists'
import { on, type Send } from './server'

type Body = Record<string, unknown>

/**
 * The body as the server takes it: flags as numbers, with the members its own console derives. Members left
 * out of an update are cleared, so unchanged ones are sent along.
 */
export function credentialBody(body: Body, row?: SpeechCredential): Body {
  const numbers = Object.fromEntries(
    Object.entries(body)
      .filter(([key]) => key !== 'mode')
      .map(([key, v]) => [key, typeof v === 'boolean' ? Number(v) : v]),
  )
  const whole = { ...(row && unchangedMembers(row, body)), ...numbers }
  const vendor = vendorOf(String(body.vendor ?? row?.vendor))
  return vendor?.complete?.(whole) ?? whole
}

const METADATA =
  /_sid$|^(vendor|label|last_used|last_tested|tts_tested_ok|stt_tested_ok|created_at|version)$/
// the server keeps secrets, and accepts no new ones in an update
const SECRETS = /key|secret|token|password/

const unchangedMembers = (row: SpeechCredential, body: Body) =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([key, v]) => !METADATA.test(key) && !SECRETS.test(key) && !(key in body) && v !== null,
    ),
  )

const byName = (rows: readonly SpeechCredential[]) =>
  rows.toSorted((a, b) => vendorName(a.vendor).localeCompare(vendorName(b.vendor)))

const withNames = async (rows: readonly SpeechCredential[], send: Send) => {
  const nameOf = await namesOf(send, accounts.list, { query: {} }, 'account_sid')
  return rows.map((c) => ({ ...c, account_name: nameOf(c.account_sid) }))
}

export const forSpeech = [
  on(accountSpeechCredentials.list, async ({ params, query }, { send }) => {
    const result = pageOf(
      byName(await rowsOf(send, accountSpeechCredentials.list, { params, query: {} })),
      query,
    )
    return { ...result, data: await withNames(result.data, send) }
  }),

  // an account's credentials are listed together with shared ones
  on(providerSpeechCredentials.list, async ({ params, query }, { send }) => {
    const { account_sid, ...paging } = query
    const rows = account_sid
      ? (
          await rowsOf(send, accountSpeechCredentials.list, { params: { account_sid }, query: {} })
        ).filter((c) => c.account_sid === account_sid)
      : await rowsOf(send, providerSpeechCredentials.list, { params, query: {} })
    const result = pageOf(byName(rows), paging)
    return { ...result, data: await withNames(result.data, send) }
  }),

  ...[accountSpeechCredentials, providerSpeechCredentials].flatMap((of) => {
    // the same endpoints but for the name of one path parameter, which is passed on
    const credentials = of as typeof providerSpeechCredentials
    // which members a body has depends on its vendor, also in the contract
    return [
      on(credentials.create, ({ params, body }, { send }) =>
        send(credentials.create, { params, body: credentialBody(body) as typeof body }),
      ),
      on(credentials.update, async ({ params, body }, { send }) => {
        const row = await send(credentials.view, { params })
        return send(credentials.update, { params, body: credentialBody(body, row) as typeof body })
      }),
    ]
  }),

  // it looks up credentials of the owner in the path only, and most belong to the provider
  on(speechCatalogues.ofAccount, async ({ params, query }, { send, user }) => {
    const { vendor, label, create_new } = query
    const request = { vendor, label, create_new }
    if (user?.scope === 'account')
      return send(speechCatalogues.ofAccount, { params, query: request })
    const account = (await lookUp(send, accounts.list, { query: {} })).find(
      (a) => a.account_sid === params.account_sid,
    )
    if (!account) return send(speechCatalogues.ofAccount, { params, query: request })
    const { service_provider_sid } = account
    return send(speechCatalogues.ofServiceProvider, {
      params: { service_provider_sid },
      query: request,
    })
  }),
]
