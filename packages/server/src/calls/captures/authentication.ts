import { t } from '@switchroom/contract'
import type { Sip } from '../../stores/sip/sip.ts'
import { quoted, times } from '../../talk/sentence.ts'
import { type Finding, finding, statusText } from './finding-text.ts'
import { final, isChallenged, type Transaction } from './leg.ts'

const parameter = (header: string, name: string) =>
  new RegExp(`\\b${name}\\s*=\\s*"?([^",]*)`, 'i').exec(header)?.[1]
const credentials = (sip: Sip) => sip.header('Authorization') ?? sip.header('Proxy-Authorization')

/**
 * The finding when the last attempt was still challenged; undefined otherwise. `attempts`: retries of one
 * request, in order.
 */
export function unauthenticated(
  attempts: readonly Transaction[],
  name: (party: number) => string,
): Finding | undefined {
  const last = attempts.at(-1)
  if (!last || !isChallenged(last)) return undefined
  // skips challenges that were answered successfully
  const met = attempts.findLastIndex((t) => !isChallenged(t))
  const retries = attempts.slice(met + 1)
  const refused = final(last)!
  const endpoint = name(last.requests[0]!.destination)
  const given = retries.flatMap((t) => credentials(t.requests[0]!.sip) ?? [])
  const refusal = statusText(refused.sip)
  if (given.length === 0) {
    const text = t(
      '{endpoint} asked for authentication ({refusal}) and got none. No credentials are set, or they are for another realm.',
      { endpoint, refusal },
    )
    return finding('bad', text, refused)
  }
  const user = parameter(given.at(-1)!, 'username')
  const often = t('{endpoint} asked for authentication {times}', {
    endpoint,
    times: times(retries.length),
  })
  const challenge =
    refused.sip.header('WWW-Authenticate') ?? refused.sip.header('Proxy-Authenticate') ?? ''
  if (/\bstale\s*=\s*"?true/i.test(challenge))
    return finding(
      'bad',
      t('{often}, each time because the nonce had expired (stale).', { often }),
      refused,
    )
  const answers = new Set(given.map((header) => parameter(header, 'response')))
  const realms = new Set(given.map((header) => parameter(header, 'realm')))
  const realm = parameter(challenge, 'realm')
  if (realm && !realms.has(realm)) {
    const text = t('{often} for the realm {asked} and got credentials for {answered}.', {
      often,
      asked: quoted(realm),
      answered: quoted([...realms][0] ?? ''),
    })
    return finding('bad', text, refused)
  }
  const isSame = answers.size < given.length
  return finding('bad', wrongPassword(often, isSame, user && quoted(user)), refused)
}

function wrongPassword(often: string, isSame: boolean, user: string | undefined): string {
  if (isSame)
    return user
      ? t('{often} and got the same response as user {user}. The username or password is wrong.', {
          often,
          user,
        })
      : t('{often} and got the same response. The username or password is wrong.', { often })
  return user
    ? t('{often} and rejected every response as user {user}. The username or password is wrong.', {
        often,
        user,
      })
    : t('{often} and rejected every response. The username or password is wrong.', { often })
}
