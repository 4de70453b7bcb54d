import { t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { Refused } from '../../speech/protocol.ts'
import type { Model } from './chat.ts'
import { stored } from './queries.ts'

/** The language model of an account, with its key; undefined without one. Throws `Refused` if the key cannot be read. */
export async function modelOf(
  { db, box }: Pick<Context, 'db' | 'box'>,
  account_sid: string,
): Promise<Model | undefined> {
  const row = await stored(db, account_sid)
  if (!row) return undefined
  const { url, model, sealed_key } = row
  const api_key = sealed_key ? box.open(sealed_key) : null
  if (api_key === undefined)
    throw new Refused(t('its key was encrypted with another secret, so it must be entered again'))
  return { url, model, api_key }
}
