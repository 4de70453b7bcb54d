import {
  listText,
  numberText,
  plural,
  type ReplayResult as Replayed,
  t,
} from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { send } from '../../lib/api'
import { routeSimulations } from '../../lib/endpoints'
import { messageOf, requestIdOf } from '../../lib/failure'
import { useDebounced } from '../../lib/use-debounced'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { Section } from '../../ui/section'
import { ErrorState, Skeleton } from '../../ui/states'
import { TableHead } from '../../ui/table-head'
import type { ReplayDraft } from './draft'
import './result.css'

const PAUSE = 600
const WAYS_IN_A_SENTENCE = 5

/** In a section below a form, so that its button to save does not move when the answer comes. */
export const ReplayResult = ({ draft }: { draft: ReplayDraft }) => (
  <Section
    title={t('Effect on calls')}
    about={t('Where the outbound calls of the last 24 hours would go with your unsaved changes.')}
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
  const isOld = result.isPlaceholderData || JSON.stringify(body) !== JSON.stringify(draft)
  const isBusy = result.isFetching || isOld
  return (
    <div className="replay" aria-busy={isBusy}>
      {isBusy && result.data && <span className="hint replay-busy">{t('Comparing…')}</span>}
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
          <span className="visually-hidden">{t('Replaying calls')}</span>
          <Skeleton height={40} />
        </div>
      )}
    </div>
  )
}

type Way = Replayed['ways'][number]['carriers']

const nameOf = ({ name }: Way[number]) => name ?? t('a carrier you do not have access to')
const wayText = (way: Way) =>
  way.length === 0
    ? t('Not routed')
    : way.length === 1
      ? nameOf(way[0]!)
      : t('{carriers} at random', { carriers: listText(way.map(nameOf), 'disjunction') })

const signed = (n: number) => `${n < 0 ? '−' : '+'}${numberText(Math.abs(n))}`

function Outcome({ result }: { result: Replayed }) {
  const { too_slow } = result
  if (too_slow)
    return (
      <Notice tone="warn">
        {too_slow.pattern === null
          ? t('These routes take too long to compare.')
          : rich('The pattern {code} takes too long to match. Simplify it to compare.', {
              code: <code>{too_slow.pattern}</code>,
            })}
      </Notice>
    )
  if (result.calls === 0)
    return <p className="hint">{t('No outbound calls in the last 24 hours to compare with.')}</p>
  return (
    <>
      {result.lost > 0 && (
        <Notice tone="bad">
          {plural(
            result.lost,
            '1 call would no longer be routed.|{n} calls would no longer be routed.',
          )}
        </Notice>
      )}
      {(result.rerouted > 0 || result.changed_numbers === 0) && (
        <p role="status">{sentence(result)}</p>
      )}
      {result.gained > 0 && (
        <p>
          {plural(
            result.gained,
            '1 call that no carrier takes now would be routed.|{n} calls that no carrier takes now would be routed.',
          )}
        </p>
      )}
      {result.capped && (
        <p className="hint">
          {plural(
            result.calls,
            'Only the newest call was compared.|Only the newest {n} calls were compared.',
          )}
        </p>
      )}
      {result.named > 0 && (
        <p className="hint">
          {plural(
            result.named,
            '1 call left by a carrier that these routes do not give it. An application named its trunk, so it stays there.|{n} calls left by carriers that these routes do not give them. Applications named their trunks, so they stay there.',
          )}
        </p>
      )}
      {result.unexplained > 0 && (
        <p className="hint">
          {plural(
            result.unexplained,
            '1 call left by another carrier than the saved routes give it. They have changed since, or an application named its trunk.|{n} calls left by other carriers than the saved routes give them. They have changed since, or applications named the trunks.',
          )}
        </p>
      )}
      {result.avoided_unknown && (
        <p className="hint">
          {t('Redis does not answer, so it is not known which gateways are left out.')}
        </p>
      )}
      {result.ambiguous && (
        <Notice tone="warn">
          {t(
            'Some accounts have a routing table and so does their provider. The platform uses whichever it finds first.',
          )}
        </Notice>
      )}
      {result.changes.length > 0 && <Changes result={result} />}
    </>
  )
}

function sentence({ calls: all, rerouted, ways }: Replayed) {
  if (rerouted === 0)
    return plural(
      all,
      'None of 1 call would leave by another carrier.|None of {n} calls would leave by another carrier.',
    )
  const moved = ways
    .filter((w) => w.carriers.length > 0)
    .map((w) => `${wayText(w.carriers)} ${signed(w.after - w.before)}`)
  const values = { rerouted: numberText(rerouted) }
  if (moved.length === 0)
    return plural(
      all,
      'Of 1 call, {rerouted} would leave by another carrier.|Of {n} calls, {rerouted} would leave by another carrier.',
      values,
    )
  const shown = moved.slice(0, WAYS_IN_A_SENTENCE).join(', ')
  const more = moved.length - WAYS_IN_A_SENTENCE
  return plural(
    all,
    'Of 1 call, {rerouted} would leave by another carrier: {ways}.|Of {n} calls, {rerouted} would leave by another carrier: {ways}.',
    {
      ...values,
      ways: more > 0 ? plural(more, '{shown} and 1 more|{shown} and {n} more', { shown }) : shown,
    },
  )
}

function Changes({ result: { changes, changed_numbers } }: { result: Replayed }) {
  const hasAccounts = changes.some((c) => c.account_sid !== changes[0]!.account_sid)
  const hidden = changed_numbers - changes.length
  return (
    <details>
      <summary>{plural(changed_numbers, '1 number|{n} numbers')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="replay-rows" aria-label={t('Numbers that change')} tabIndex={0}>
        <table>
          <TableHead
            of={[
              t('Number'),
              hasAccounts && t('Account'),
              { start: t('Calls'), className: 'replay-count' },
              t('Now'),
              t('With your changes'),
            ]}
          />
          <tbody>
            {changes.map((c) => (
              <tr key={`${c.account_sid} ${c.number}`}>
                <td className="numbers">{c.number}</td>
                {hasAccounts && <td>{c.account_name}</td>}
                <td className="replay-count">{numberText(c.calls)}</td>
                <td>{wayText(c.before)}</td>
                <td className={c.after.length === 0 ? 'replay-lost' : undefined}>
                  {wayText(c.after)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {hidden > 0 && (
        <p className="hint">{plural(hidden, 'and 1 more number|and {n} more numbers')}</p>
      )}
    </details>
  )
}
