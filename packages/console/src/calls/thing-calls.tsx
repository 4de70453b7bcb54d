import { numberText, t } from '@switchroom/contract'
import { BlockQuery } from '../lib/block-query'
import type { ThingOwner } from '../lib/follow-provider'
import { usePhoneFormat } from '../lib/phone-format'
import { PlainLink } from '../lib/plain-link'
import { Block } from '../ui/block'
import { rich } from '../ui/rich'
import { Skeleton } from '../ui/states'
import { TableHead } from '../ui/table-head'
import { Time } from '../ui/time'
import { type Ends, endsOf } from './call-span'
import { outcome, ratioText } from './call-text'
import { type CallsOf, type Span, useAsk, useCounts, useLastFailure, useMinute } from './calls-of'
import { callsHref } from './dashboard/links'
import './thing-calls.css'

/** The block "Calls" of an overview: how many, how many answered, and the last that failed. */
export function ThingCalls({ owner, of = {} }: { owner: ThingOwner; of?: CallsOf }) {
  const now = useMinute()
  const ask = useAsk(owner, of)
  if (!ask) return null
  const week = endsOf('7', now)
  return (
    <Block
      title={t('Calls')}
      action={
        of.application_sid && (
          <PlainLink href={`/internal/voice?application_sid=${of.application_sid}`}>
            {t('Voice insights')}
          </PlainLink>
        )
      }
    >
      <table className="thing-calls">
        <TableHead of={[{ hidden: t('Time') }, t('Calls'), t('Answered'), t('Answered ratio')]} />
        <tbody>
          <Rows {...ask} today={endsOf('today', now)} week={week} />
        </tbody>
      </table>
      <LastFailure {...ask} ends={week} />
    </Block>
  )
}

function Rows({ today, week, ...ask }: Omit<Span, 'ends'> & { today: Ends; week: Ends }) {
  const ofWeek = useCounts({ ...ask, ends: week })
  const ofToday = useCounts({ ...ask, ends: today }, ofWeek)
  return (
    <>
      <Row {...ask} name={t('Today')} ends={today} asked={ofToday} />
      <Row {...ask} name={t('Last 7 days')} ends={week} asked={ofWeek} />
    </>
  )
}

function Row({
  name,
  asked,
  ...span
}: Span & { name: string; asked: ReturnType<typeof useCounts> }) {
  const { counts, hasFailed, refetch } = asked
  const { ends, account_sid, of } = span
  const count = (n: number, answered?: 'true') =>
    n === 0 ? (
      0
    ) : (
      <PlainLink href={callsHref(ends, { account_sid, ...of, ...(answered && { answered }) })}>
        {numberText(n)}
      </PlainLink>
    )
  return (
    <tr>
      <th scope="row">{name}</th>
      {counts ? (
        <>
          <td>{count(counts.calls)}</td>
          <td>{count(counts.answered, 'true')}</td>
          <td>
            {counts.calls === 0 ? <span className="none">{t('No calls')}</span> : ratioText(counts)}
          </td>
        </>
      ) : hasFailed ? (
        <td colSpan={3}>
          {rich('Calls cannot be loaded. {button}', {
            button: (
              <button type="button" className="thing-calls-again" onClick={refetch}>
                {t('Try again')}
              </button>
            ),
          })}
        </td>
      ) : (
        <td colSpan={3}>
          <Skeleton width="100%" />
        </td>
      )}
    </tr>
  )
}

function LastFailure(span: Span) {
  const last = useLastFailure(span)
  const [{ from, to } = { from: null, to: null }] = last.data?.data ?? []
  const format = usePhoneFormat([from, to].filter((n) => n !== null))
  const text = (number: string | null) => (number === null ? t('Unknown') : format(number))
  // the counts above say that calls cannot be loaded
  if (last.error) return null
  return (
    <p className="thing-calls-last">
      <BlockQuery query={last} lines={1}>
        {({ data: [call] }) =>
          call ? (
            rich('Last failure: {outcome}, {from} → {to}, {time}', {
              outcome: call.call_sid ? (
                <PlainLink href={`/internal/recent-calls/${encodeURIComponent(call.call_sid)}`}>
                  {outcome(call).word}
                </PlainLink>
              ) : (
                outcome(call).word
              ),
              from: text(call.from),
              to: text(call.to),
              time: <Time at={call.attempted_at} />,
            })
          ) : (
            <span className="none">{t('No failed calls in the last 7 days.')}</span>
          )
        }
      </BlockQuery>
    </p>
  )
}
