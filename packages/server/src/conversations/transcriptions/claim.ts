import { randomUUID } from 'node:crypto'
import { type Call, t } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { conflict, Failure } from '../../http/failure.ts'
import * as transcriptions from './queries.ts'
import type { Service } from './services.ts'

/** Of an account over all processes, and in this process. Each takes some requests and a recording's files. */
const AT_ONCE = 3
const MAX_HERE = 10

export const lockOf = (account_sid: string) => `transcriptions:${account_sid}`

const tooMany = () =>
  new Failure('too_many', t('Too many recordings are being transcribed. Try again in a moment.'), {
    retry_after: 10,
  })

export type Begun = { work: transcriptions.NewWork; isNew: boolean }

/**
 * Stores that a recording is being transcribed from now on, by whoever gets `isNew`. What goes on with the same service
 * and language already is left to go on. Call in a transaction with `lockOf`. Throws 422 if it is transcribed with another
 * service, and 429 if too much is going on.
 */
export async function claim(
  tx: Db,
  { memory }: Pick<Context, 'memory'>,
  call: Pick<Call, 'attempted_at'> & transcriptions.CallKey,
  { credential, language }: Service,
  is_automatic: 0 | 1,
): Promise<Begun> {
  const { account_sid, call_sid } = call
  const { speech_credential_sid, vendor } = credential
  const work = {
    ...{ account_sid, call_sid, work_sid: randomUUID() },
    ...{ speech_credential_sid, vendor, language, is_automatic },
    called_at: new Date(call.attempted_at).toISOString(),
  }
  const before = await transcriptions.find(tx, work)
  if (before && transcriptions.stateOf(before) === 'running') {
    if (before.speech_credential_sid === speech_credential_sid && before.language === language)
      return { work, isNew: false }
    throw conflict(
      'speech_credential_sid',
      t('This recording is being transcribed by another service'),
    )
  }
  const running = await transcriptions.countRunning(tx, account_sid)
  if (running >= AT_ONCE || memory.transcriptions.size >= MAX_HERE) throw tooMany()
  await transcriptions.begin(tx, work, before)
  return { work, isNew: true }
}
