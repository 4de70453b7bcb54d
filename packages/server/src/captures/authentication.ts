import type { Sip } from '../stores/captures/sip.ts'
import { final, isChallenged, type Transaction } from './leg.ts'
import { type Finding, finding, quoted, statusText, times } from './words.ts'

const parameter = (header: string, name: string) =>
  new RegExp(`\\b${name}\\s*=\\s*"?([^",]*)`, 'i').exec(header)?.[1]
const credentials = (sip: Sip) => sip.header('Authorization') ?? sip.header('Proxy-Authorization')

/**
 * What is wrong where the last of these attempts was still asked to authenticate; undefined where it was
 * not. `attempts`: of the same request, in their order.
 */
export function unauthenticated(
  attempts: readonly Transaction[],
  name: (party: number) => string,
): Finding | undefined {
  const last = attempts.at(-1)
  if (!last || !isChallenged(last)) return undefined
  // a challenge that was met is another matter
  const met = attempts.findLastIndex((t) => !isChallenged(t))
  const asked = attempts.slice(met + 1)
  const refused = final(last)!
  const who = name(last.requests[0]!.destination)
  const given = asked.flatMap((t) => credentials(t.requests[0]!.sip) ?? [])
  const said = statusText(refused.sip)
  if (given.length === 0) {
    const text = `${who} asked for authentication (${said}) and got none: no credentials are set, or they are for another realm.`
    return finding('bad', text, refused)
  }
  const user = parameter(given.at(-1)!, 'username')
  const as = user ? ` as user ${quoted(user)}` : ''
  const often = `${who} asked for authentication ${times(asked.length)}`
  const challenge =
    refused.sip.header('WWW-Authenticate') ?? refused.sip.header('Proxy-Authenticate') ?? ''
  if (/\bstale\s*=\s*"?true/i.test(challenge))
    return finding('bad', `${often}, each time because the answer came too late (stale).`, refused)
  const answers = new Set(given.map((header) => parameter(header, 'response')))
  const realms = new Set(given.map((header) => parameter(header, 'realm')))
  const realm = parameter(challenge, 'realm')
  if (realm && !realms.has(realm)) {
    const text = `${often} for the realm ${quoted(realm)} and was answered for ${quoted([...realms][0] ?? '')}.`
    return finding('bad', text, refused)
  }
  const text =
    answers.size < given.length
      ? `${often} and got the same answer${as}: the user name or the password is wrong.`
      : `${often} and took none of the answers${as}: the user name or the password is wrong.`
  return finding('bad', text, refused)
}
