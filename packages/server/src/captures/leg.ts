import type { Sip } from '../stores/captures/sip.ts'
import type { Captured } from '../stores/captures.ts'

/** A message of SIP that could be read. */
export type Seen = {
  id: number
  /** Microseconds since 1970. */
  at: number
  source: number
  destination: number
  node: string
  sip: Sip
  /** Of the hop: what tells one sending of a request from another. */
  branch: string
  cseq: number | undefined
  /** The message that this one says again. */
  repeats: number | null
}

/** A request, what was sent of it again, and all that answers it. */
export type Transaction = {
  method: string
  cseq: number | undefined
  /** The first and its repetitions; never empty. */
  requests: Seen[]
  answers: Seen[]
  /** Whether it was begun in a call that there was already. */
  within: boolean
  /** Of an INVITE. */
  acks: Seen[]
  cancel: Transaction | undefined
}

const BRANCH = /;\s*branch\s*=\s*([^\s;,]+)/i
export const seenOf = (
  { time, node }: Captured,
  sip: Sip,
  ends: Pick<Seen, 'source' | 'destination'>,
): Omit<Seen, 'id' | 'repeats'> => ({
  at: time,
  node,
  sip,
  ...ends,
  branch: BRANCH.exec(sip.header('Via')?.split(',')[0] ?? '')?.[1] ?? '',
  cseq: cseqOf(sip),
})

function cseqOf(sip: Sip): number | undefined {
  const digits = /^(\d{1,10})\b/.exec(sip.header('CSeq') ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/**
 * A tag in To says so. Some callers keep the one that came with a refusal, though: before anybody has said
 * yes their INVITE is another attempt.
 */
function isWithin(sip: Sip, before: readonly Transaction[]): boolean {
  if (!/;\s*tag\s*=/i.test(sip.header('To') ?? '')) return false
  const invites = before.filter((t) => t.method === 'INVITE')
  return sip.method !== 'INVITE' || invites.length === 0 || invites.some(isAnswered)
}

/** The transactions of one leg, in the order they were begun. Answers without their request are left out. */
export function transactionsOf(leg: readonly Seen[]): Transaction[] {
  const all: Transaction[] = []
  const by = new Map<string, Transaction>()
  const key = (seen: Seen, method: string) => `${seen.branch} ${seen.cseq} ${method}`
  for (const seen of leg) {
    const { sip, cseq } = seen
    if (sip.status !== undefined) {
      by.get(key(seen, sip.method))?.answers.push(seen)
      continue
    }
    if (sip.method === 'ACK') {
      // of a refusal it has the branch of the INVITE, of an answer one of its own
      const acked = all.findLast((t) => t.method === 'INVITE' && t.cseq === cseq)
      const refused = by.get(key(seen, 'INVITE'))
      ;(refused ?? acked)?.acks.push(seen)
      continue
    }
    const known = by.get(key(seen, sip.method))
    if (known) {
      known.requests.push(seen)
      continue
    }
    const begun: Transaction = {
      method: sip.method,
      cseq,
      requests: [seen],
      answers: [],
      within: isWithin(sip, all),
      acks: [],
      cancel: undefined,
    }
    by.set(key(seen, sip.method), begun)
    all.push(begun)
    if (sip.method === 'CANCEL') {
      const cancelled = by.get(key(seen, 'INVITE'))
      if (cancelled) cancelled.cancel ??= begun
    }
  }
  return all
}

export const finals = ({ answers }: Transaction) => answers.filter((a) => a.sip.status! >= 200)
export const final = (t: Transaction): Seen | undefined => finals(t)[0]
export const statusOf = (t: Transaction) => final(t)?.sip.status
export const isAnswered = (t: Transaction) => (statusOf(t) ?? 999) < 300
export const isChallenged = (t: Transaction) => statusOf(t) === 401 || statusOf(t) === 407
