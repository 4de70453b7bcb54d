import { createHmac, randomBytes } from 'node:crypto'
import { parseSip, type Sip } from '../../stores/sip/sip.ts'
import { shortHost, shortNumber } from './short.ts'

/** How many of a number's last digits tell it in whatever notation. */
const TAIL = 7
const ADDRESSES = [
  'From',
  'To',
  'Contact',
  'P-Asserted-Identity',
  'P-Preferred-Identity',
  'Remote-Party-ID',
  'Diversion',
  'History-Info',
  'Refer-To',
  'Referred-By',
]

const tailsIn = (text: string) =>
  (text.match(/\d(?:[ ().-]?\d){6,}/g) ?? []).map((run) => run.replace(/\D/g, '').slice(-TAIL))

const uris = (sip: Sip) => [sip.uri ?? '', ...ADDRESSES.flatMap((name) => sip.all(name))]

/**
 * What is known of a call and must be nowhere in what is shown of it, also where a system has put it into its tags,
 * branches or Call-IDs: numbers and sids.
 */
export function knownOf(
  { from, to, sids }: { from: string | null; to: string | null; sids: readonly string[] },
  messages: readonly string[],
) {
  const texts = messages.flatMap((message) => {
    const sip = parseSip(message)
    // hosts have digits too
    return sip ? uris(sip).map((uri) => uri.replace(/@[^;>?,\s]*/g, '@')) : []
  })
  const tails = new Set([from ?? '', to ?? '', ...texts].flatMap(tailsIn))
  const has = (digits: string) => [...tails].some((tail) => digits.includes(tail))
  return {
    /** Whether any of it is in a word, however it is written there. */
    isIn: (word: string) =>
      has(word.replace(/\D/g, '')) ||
      sids.some((sid) => word.toLowerCase().includes(sid.toLowerCase())),
    /** A text without it. */
    removed: (text: string) =>
      sids
        .reduce(
          (rest, sid) => rest.replaceAll(new RegExp(RegExp.escape(sid), 'gi'), 'hidden'),
          text,
        )
        .replace(/\d{7,}/g, (run) => (has(run) ? shortNumber(run) : run)),
  }
}
export type Known = ReturnType<typeof knownOf>

const PLAIN = /^[!#-+./0-9:=?A-Z^_`a-z~-]{1,200}$/

/** Tags, branches and Call-IDs, by which a carrier finds the call in its own logs: as they are, unless they tell more. */
export function opaqueIds(known: Known, hosts: readonly string[]) {
  // a new one for each report: guesses of a number cannot be compared with it
  const key = randomBytes(32)
  const stand = (id: string) =>
    `hidden-${createHmac('sha256', key).update(id).digest('hex').slice(0, 12)}`
  return (id: string) => {
    const [local = '', host] = id.split('@', 2)
    const shown = PLAIN.test(local) && !known.isIn(local) ? local : stand(local)
    return host === undefined ? shown : `${shown}@${shortHost(host, hosts)}`
  }
}
