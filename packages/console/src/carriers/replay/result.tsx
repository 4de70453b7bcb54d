import type { ReplayResult as Replayed } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { send } from '../../lib/api'
import { routeSimulations } from '../../lib/endpoints'
import { messageOf, requestIdOf } from '../../lib/failure'
import { useDebounced } from '../../lib/use-debounced'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'
import { ErrorState, Skeleton } from '../../ui/states'
import type { ReplayDraft } from './draft'
import './result.css'

const PAUSE = 600
const WAYS_IN_A_SENTENCE = 5

/** In a section of a form. */
export const ReplayResult = ({ draft }: { draft: ReplayDraft }) => (
  <Section
    title="What this changes"
    about="Where the outbound calls of the last 24 hours would go with your unsaved changes."
  >
    <ReplayComparison draft={draft} />
  </Section>
)

export function ReplayComparison({ draft }: { draft: ReplayDraft }) {
  const body = useDebounced(draft, PAUSE, JSON.stringify)
  const result = useQuery({
    queryKey: [routeSimulations.replay.path, body],
    queryFn: () => send(routeSimulations.replay, { body }),
    placeholderData: keepPreviousData,
    // calls come in while people edit
    staleTime: 60_000,
    retry: false,
    meta: { inline: true },
  })
  const isOld = result.isPlaceholderData || body !== draft
  const isBusy = result.isFetching || isOld
  return (
    <div className="replay" aria-busy={isBusy}>
      {isBusy && result.data && <span className="hint replay-busy">Comparing…</span>}
      {result.error && !result.isFetching ? (
        <ErrorState
          message={messageOf(result.error)}
          requestId={requestIdOf(result.error)}
          onRetry={() => void result.refetch()}
        />
      ) : result.data ? (
        <Outcome result={result.data} />
      ) : (
        <div role="status">
          <span className="visually-hidden">Replaying calls</span>
          <Skeleton height={40} />
        </div>
      )}
    </div>
  )
}

type Way = Replayed['ways'][number]['carriers']

const calls = (n: number) => (n === 1 ? '1 call' : `${n.toLocaleString()} calls`)
const nameOf = ({ name }: Way[number]) => name ?? 'a carrier you do not have access to'
const wayText = (way: Way) =>
  way.length === 0
    ? 'Not routed'
    : way.length === 1
      ? nameOf(way[0]!)
      : `${way.map(nameOf).join(' or ')} at random`

const signed = (n: number) => `${n < 0 ? '−' : '+'}${Math.abs(n).toLocaleString()}`

function Outcome({ result }: { result: Replayed }) {
  const { too_slow } = result
  if (too_slow)
    return (
      <Notice tone="warn">
        {too_slow.pattern === null ? (
          'These routes take too long to compare.'
        ) : (
          <>
            The pattern <code>{too_slow.pattern}</code> takes too long to match. Simplify it to
            compare.
          </>
        )}
      </Notice>
    )
  if (result.calls === 0)
    return <p className="hint">No outbound calls in the last 24 hours to compare with.</p>
  return (
    <>
      {result.lost > 0 && (
        <Notice tone="bad">{calls(result.lost)} would not be routed any more.</Notice>
      )}
      {(result.rerouted > 0 || result.changed_numbers === 0) && (
        <p role="status">{sentence(result)}</p>
      )}
      {result.gained > 0 && (
        <p>{calls(result.gained)} that no carrier takes now would be routed.</p>
      )}
      {result.capped && (
        <p className="hint">Only the newest {calls(result.calls)} were compared.</p>
      )}
      {result.ambiguous && (
        <Notice tone="warn">
          Some accounts have a routing table and so does their provider. The platform uses whichever
          it finds first.
        </Notice>
      )}
      {result.changes.length > 0 && <Changes result={result} />}
    </>
  )
}

function sentence({ calls: all, rerouted, ways }: Replayed) {
  if (rerouted === 0) return `None of ${calls(all)} would leave by another carrier.`
  const moved = ways
    .filter((w) => w.carriers.length > 0)
    .map((w) => `${wayText(w.carriers)} ${signed(w.after - w.before)}`)
  const shown = moved.slice(0, WAYS_IN_A_SENTENCE).join(', ')
  const more = moved.length - WAYS_IN_A_SENTENCE
  const by = `${shown}${more > 0 ? ` and ${more} more` : ''}`
  return `Of ${calls(all)}, ${rerouted.toLocaleString()} would leave by another carrier${by ? `: ${by}` : ''}.`
}

function Changes({ result: { changes, changed_numbers } }: { result: Replayed }) {
  const hasAccounts = changes.some((c) => c.account_sid !== changes[0]!.account_sid)
  const hidden = changed_numbers - changes.length
  return (
    <details>
      <summary>
        {changed_numbers === 1 ? '1 number' : `${changed_numbers.toLocaleString()} numbers`}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="replay-rows" aria-label="Numbers that change" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Number</th>
              {hasAccounts && <th scope="col">Account</th>}
              <th scope="col" className="replay-count">
                Calls
              </th>
              <th scope="col">Now</th>
              <th scope="col">With your changes</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((c) => (
              <tr key={`${c.account_sid} ${c.number}`}>
                <td className="numbers">{c.number}</td>
                {hasAccounts && <td>{c.account_name}</td>}
                <td className="replay-count">{c.calls.toLocaleString()}</td>
                <td>{wayText(c.before)}</td>
                <td className={c.after.length === 0 ? 'replay-lost' : undefined}>
                  {wayText(c.after)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {hidden > 0 && <p className="hint">and {hidden.toLocaleString()} more numbers</p>}
    </details>
  )
}
