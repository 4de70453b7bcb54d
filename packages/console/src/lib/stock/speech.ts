import {
  accountSpeechCredentials,
  accounts,
  providerSpeechCredentials,
  type SpeechCredential,
  speechCatalogues,
  vendorOf,
} from '@switchroom/contract'
import { lookUp, namesOf, pageOf, rowsOf } from './lists'
import { on, type Send } from './server'

type Body = Record<string, unknown>

/**
 * As it takes it: yes and no as numbers, and what its own console works out of the rest. It empties
 * whatever a change leaves out, so what stays as it is goes along.
 */
export function credentialBody(body: Body, row?: SpeechCredential): Body {
  const numbers = Object.fromEntries(
    Object.entries(body)
      .filter(([key]) => key !== 'mode')
      .map(([key, v]) => [key, typeof v === 'boolean' ? Number(v) : v]),
  )
  const whole = { ...(row && leftAsTheyAre(row, body)), ...numbers }
  const vendor = vendorOf(String(body.vendor ?? row?.vendor))
  return vendor?.complete?.(whole) ?? whole
}

const ROW =
  /_sid$|^(vendor|label|last_used|last_tested|tts_tested_ok|stt_tested_ok|created_at|version)$/
// it knows them itself and takes no others
const KEPT = /key|secret|token|password/

const leftAsTheyAre = (row: SpeechCredential, body: Body) =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([key, v]) => !ROW.test(key) && !KEPT.test(key) && !(key in body) && v !== null,
    ),
  )

const named = async (rows: readonly SpeechCredential[], send: Send) => {
  const nameOf = await namesOf(send, accounts.list, { query: {} }, 'account_sid')
  return rows.map((c) => ({ ...c, account_name: nameOf(c.account_sid) }))
}

export const forSpeech = [
  on(accountSpeechCredentials.list, async ({ params, query }, { send }) => {
    const result = pageOf(
      await rowsOf(send, accountSpeechCredentials.list, { params, query: {} }),
      query,
    )
    return { ...result, data: await named(result.data, send) }
  }),

  // those of an account are listed below it, together with those that all accounts share
  on(providerSpeechCredentials.list, async ({ params, query }, { send }) => {
    const { account_sid, ...paging } = query
    const rows = account_sid
      ? (
          await rowsOf(send, accountSpeechCredentials.list, { params: { account_sid }, query: {} })
        ).filter((c) => c.account_sid === account_sid)
      : await rowsOf(send, providerSpeechCredentials.list, { params, query: {} })
    const result = pageOf(rows, paging)
    return { ...result, data: await named(result.data, send) }
  }),

  ...[accountSpeechCredentials, providerSpeechCredentials].flatMap((of) => {
    // the same calls but for the name of the one parameter, which goes along
    const credentials = of as typeof providerSpeechCredentials
    // a body's members depend on its vendor, in the contract too
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

  // it finds a credential by its label and the owner in the path: most belong to the provider
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
