import {
  accountSpeechCredentials,
  accounts,
  providerSpeechCredentials,
  type SpeechCredential,
  speechCatalogues,
  vendorOf,
} from '@switchroom/contract'
import { lookUp, namesOf, pageOf, rowsOf } from './lists'
import { type Ask, on } from './server'

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

const named = async (rows: readonly SpeechCredential[], ask: Ask) => {
  const nameOf = await namesOf(ask, accounts.list, { query: {} }, 'account_sid')
  return rows.map((c) => ({ ...c, account_name: nameOf(c.account_sid) }))
}

export const forSpeech = [
  on(accountSpeechCredentials.list, async ({ params, query }, { ask }) => {
    const found = pageOf(
      await rowsOf(ask, accountSpeechCredentials.list, { params, query: {} }),
      query,
    )
    return { ...found, data: await named(found.data, ask) }
  }),

  // those of an account are listed below it, together with those that all accounts share
  on(providerSpeechCredentials.list, async ({ params, query }, { ask }) => {
    const { account_sid, ...paging } = query
    const rows = account_sid
      ? (
          await rowsOf(ask, accountSpeechCredentials.list, { params: { account_sid }, query: {} })
        ).filter((c) => c.account_sid === account_sid)
      : await rowsOf(ask, providerSpeechCredentials.list, { params, query: {} })
    const found = pageOf(rows, paging)
    return { ...found, data: await named(found.data, ask) }
  }),

  ...[accountSpeechCredentials, providerSpeechCredentials].flatMap((of) => {
    // the same calls but for the name of the one parameter, which goes along
    const credentials = of as typeof providerSpeechCredentials
    // a body's members depend on its vendor, in the contract too
    return [
      on(credentials.create, ({ params, body }, { ask }) =>
        ask(credentials.create, { params, body: credentialBody(body) as typeof body }),
      ),
      on(credentials.update, async ({ params, body }, { ask }) => {
        const row = await ask(credentials.view, { params })
        return ask(credentials.update, { params, body: credentialBody(body, row) as typeof body })
      }),
    ]
  }),

  // it finds a credential by its label and the owner in the path: most belong to the provider
  on(speechCatalogues.ofAccount, async ({ params, query }, { ask, who }) => {
    const { vendor, label, create_new } = query
    const asked = { vendor, label, create_new }
    if (who?.scope === 'account') return ask(speechCatalogues.ofAccount, { params, query: asked })
    const account = (await lookUp(ask, accounts.list, { query: {} })).find(
      (a) => a.account_sid === params.account_sid,
    )
    if (!account) return ask(speechCatalogues.ofAccount, { params, query: asked })
    const { service_provider_sid } = account
    return ask(speechCatalogues.ofServiceProvider, {
      params: { service_provider_sid },
      query: asked,
    })
  }),
]
