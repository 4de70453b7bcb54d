import type { TraceSpan } from '@switchroom/contract'
import type { Redacted } from '../../talk/masked.ts'
import { spanWithoutWords } from '../../talk/redaction.ts'
import { holdsWords } from '../../talk/span-words.ts'
import type { Batch } from './span.ts'
import type { WordsPolicy } from './store.ts'

/** Calls whose owner is remembered, more than go on at once. */
const MAX_OWNERS = 50_000
/** Traces that are looked up for one message of an exporter, which has spans of a few. */
const MAX_LOOKUPS = 100
const MAX_SID = 64
/** Of a trace that names several accounts. */
const NOBODY = ''

/** The account that a span names. */
export function accountOf({ attributes }: Pick<TraceSpan, 'attributes'>): string | undefined {
  const sid = attributes.find(({ key }) => key === 'accountSid')?.value.stringValue
  return sid && sid.length <= MAX_SID ? sid.toLowerCase() : undefined
}

/**
 * Takes the words out of spans whose account wants that, before anybody keeps them. If it is not known whose a span
 * is, what the strictest account wants is done.
 */
export class Redaction {
  #policy: WordsPolicy
  #owners = new Map<string, string>()
  #stored: (trace_ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

  /** `stored` finds the accounts that stored spans of these traces name. It may throw: then they are not known. */
  constructor(
    policy: WordsPolicy,
    stored: (trace_ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  ) {
    this.#policy = policy
    this.#stored = stored
  }

  follow(policy: WordsPolicy) {
    this.#policy = policy
  }

  get isNeeded() {
    return this.#policy.accounts.size > 0
  }

  async apply(batches: readonly Batch[]): Promise<Batch[]> {
    const spans = batches.flatMap((batch) => batch.spans)
    for (const span of spans) {
      const account = accountOf(span)
      if (account !== undefined) this.#note(span.traceId, account)
    }
    const wanted = new Set(spans.filter(holdsWords).map(({ traceId }) => traceId))
    const unknown = [...wanted].filter((trace) => !this.#owners.has(trace)).slice(0, MAX_LOOKUPS)
    if (unknown.length > 0)
      for (const [trace, account] of await this.#stored(unknown).catch(() => []))
        this.#note(trace, account)
    // it may have changed meanwhile
    const { key } = this.#policy
    return batches.map(({ origin, spans: of }) => ({
      origin,
      spans: of.map((span) => {
        const words = wanted.has(span.traceId) ? this.#wordsOf(span.traceId) : undefined
        return words ? spanWithoutWords(span, words, key) : span
      }),
    }))
  }

  #wordsOf(trace: string): Redacted | undefined {
    const account = this.#owners.get(trace)
    return account === undefined || account === NOBODY
      ? this.#policy.unknown
      : this.#policy.accounts.get(account)
  }

  #note(trace: string, account: string) {
    const before = this.#owners.get(trace)
    this.#owners.delete(trace)
    this.#owners.set(trace, before === undefined || before === account ? account : NOBODY)
    if (this.#owners.size > MAX_OWNERS) this.#owners.delete(this.#owners.keys().next().value!)
  }
}
