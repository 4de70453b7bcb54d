import type { Sip } from '../../stores/sip/sip.ts'
import type { Captured } from '../../stores/sip/store.ts'

/** A parsed SIP message of a capture. */
export type Seen = {
  id: number
  /** Microseconds since 1970. */
  at: number
  source: number
  destination: number
  node: string
  sip: Sip
  /** The Via branch, which identifies a transaction on one hop. */
  branch: string
  cseq: number | undefined
  /** The index of the message that this one retransmits. */
  repeats: number | null
}

/** A request with its retransmissions and responses. */
export type Transaction = {
  method: string
  cseq: number | undefined
  /** The request and its retransmissions; never empty. */
  requests: Seen[]
  answers: Seen[]
  /** Whether it was sent within an established dialog. */
  within: boolean
  /** The ACKs of an INVITE. */
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

export function cseqOf(sip: Sip): number | undefined {
  const digits = /^(\d{1,10})\b/.exec(sip.header('CSeq') ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Whether a request is within a dialog: it has a To tag. Some callers reuse the tag of an error response,
 * so an INVITE before any success counts as a new attempt.
 */
function isWithin(sip: Sip, before: readonly Transaction[]): boolean {
  if (!/;\s*tag\s*=/i.test(sip.header('To') ?? '')) return false
  const invites = before.filter((t) => t.method === 'INVITE')
  return sip.method !== 'INVITE' || invites.length === 0 || invites.some(isAnswered)
}

/** The transactions of a leg, in order of their requests. Responses without a request are skipped. */
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
      // the ACK of an error has the INVITE's branch, the ACK of a success has its own
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
