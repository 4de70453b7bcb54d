import {
  fromServer,
  MAX_CONVERSATIONS,
  numberText,
  type SimulatedCaller,
  t,
} from '@switchroom/contract'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Phone } from 'lucide-react'
import { useState } from 'react'
import { viewOf as applicationOf } from '../../applications/queries'
import { mayWrite } from '../../lib/access'
import { send } from '../../lib/api'
import { useCrumb } from '../../lib/crumb'
import { simulatedCallers } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useFollowProvider } from '../../lib/follow-provider'
import { LoadError } from '../../lib/load-error'
import { PlainLink } from '../../lib/plain-link'
import { rowKeys } from '../../lib/row-keys'
import { Block } from '../../ui/block'
import { Button, buttonClass } from '../../ui/button'
import { Fact, Facts } from '../../ui/facts'
import { Notice } from '../../ui/notice'
import { NumberField } from '../../ui/number-field'
import { PageHeader } from '../../ui/page-header'
import { LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { TableHead } from '../../ui/table-head'
import { Time } from '../../ui/time'
import { runHref } from '../runs/run-href'
import { STATES } from '../runs/run-text'
import { NoModel } from './form'
import {
  budgetText,
  figuresOf,
  isSimulated,
  OUTCOMES,
  type Simulated,
  sumsOf,
} from './outcome-text'
import { callerHref, conversationsOf, viewOf } from './queries'
import sheet from './simulated-callers.css?url'
import '../../lib/table.css'

const route = getRouteApi(
  '/internal/applications/$application_sid/simulated-callers/$simulated_caller_sid',
)

const FIRST = 3

/** A simulated caller: has it call, and shows what came of its conversations. */
export function SimulatedCallerPage() {
  const params = route.useParams()
  const { data: application } = useSuspenseQuery(applicationOf(params.application_sid))
  const { data: caller } = useSuspenseQuery(viewOf(params))
  useCrumb(application.name)
  useFollowProvider(application)
  return (
    <>
      <link rel="stylesheet" href={sheet} precedence="page" />
      <PageHeader title={caller.name}>
        <PlainLink href={`${callerHref(params)}/edit`} className={buttonClass()}>
          {mayWrite() ? t('Edit') : t('Details')}
        </PlainLink>
      </PageHeader>
      <NoModel account_sid={caller.account_sid} />
      <Facts>
        <Fact name={t('Who calls')}>{caller.persona}</Fact>
        <Fact name={t('Goal')}>{caller.goal}</Fact>
      </Facts>
      {mayWrite() && (
        <div className="caller-block">
          <Block title={t('Call the application')}>
            <Begin key={caller.simulated_caller_sid} caller={caller} />
          </Block>
        </div>
      )}
      <div className="caller-block">
        <Conversations key={caller.simulated_caller_sid} {...params} />
      </div>
    </>
  )
}

function Begin({ caller }: { caller: SimulatedCaller }) {
  const { application_sid, simulated_caller_sid, max_tokens } = caller
  const [conversations, setConversations] = useState<number | null>(FIRST)
  const begin = useMutation({
    mutationFn: (count: number) =>
      send(simulatedCallers.run, {
        params: { application_sid, simulated_caller_sid },
        body: { conversations: count },
      }),
  })
  const isPossible =
    conversations !== null && conversations >= 1 && conversations <= MAX_CONVERSATIONS
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault()
        if (isPossible) begin.mutate(conversations)
      }}
    >
      {begin.error && <Notice tone="bad">{messageOf(begin.error)}</Notice>}
      <div className="caller-begin">
        <NumberField
          label={t('Conversations')}
          min={1}
          value={conversations}
          onChange={setConversations}
          error={
            isPossible
              ? undefined
              : t('Enter a whole number from 1 to {most}', { most: MAX_CONVERSATIONS })
          }
        />
        <Button look="primary" type="submit" busy={begin.isPending}>
          <Phone aria-hidden />
          {t('Start conversations')}
        </Button>
      </div>
      {isPossible && <p className="caller-budget">{budgetText(conversations, max_tokens)}</p>}
    </form>
  )
}

function Conversations(params: { application_sid: string; simulated_caller_sid: string }) {
  const list = useQuery(conversationsOf(params))
  const runs = list.data?.data.filter(isSimulated)
  return (
    <Block title={t('Conversations')}>
      {!runs ? (
        list.error ? (
          <LoadError error={list.error} retry={list.refetch} />
        ) : (
          <LoadingState text={t('Loading the conversations')} />
        )
      ) : runs.length === 0 ? (
        <p className="block-empty">{t('No conversations yet.')}</p>
      ) : (
        <>
          <Sums runs={runs} />
          <ConversationTable runs={runs} />
        </>
      )}
    </Block>
  )
}

function Sums({ runs }: { runs: readonly Simulated[] }) {
  const { over, running, reached, tokens } = sumsOf(runs)
  return (
    <p className="caller-sums numbers" role="status">
      <span>
        {t('{reached} of {over} reached their goal', {
          ...{ reached: numberText(reached), over: numberText(over) },
        })}
      </span>
      {running > 0 && <span>{t('{running} running', { running: numberText(running) })}</span>}
      <span>{t('{tokens} tokens', { tokens: numberText(tokens) })}</span>
      {figuresOf(runs).map(({ criterion, mean, scored, refused }) => (
        <span key={criterion}>
          {mean === null
            ? t('{criterion}: no score ({refused} refused)', { criterion, refused })
            : t('{criterion}: {mean} from {scored} scores ({refused} refused)', {
                ...{ criterion, scored, refused },
                mean: numberText(Math.round(mean * 10) / 10),
              })}
        </span>
      ))}
    </p>
  )
}

const ConversationTable = ({ runs }: { runs: readonly Simulated[] }) => (
  <div className="table-box">
    <table className="table" aria-label={t('Conversations')}>
      <TableHead
        of={[
          t('Started'),
          t('Result'),
          t('Why it ended'),
          t('Expectations'),
          { end: t('Turns') },
          { end: t('Tokens') },
        ]}
      />
      <tbody ref={rowKeys}>
        {runs.map((run) => (
          <Row key={run.run_sid} run={run} />
        ))}
      </tbody>
    </table>
  </div>
)

function Row({ run }: { run: Simulated }) {
  const { outcome, reason, turns, tokens } = run.simulation
  const { tone, text } = outcome
    ? OUTCOMES[outcome]
    : { tone: STATES[run.state].tone, text: STATES[run.state].word }
  return (
    <tr>
      <td data-label={t('Started')}>
        <PlainLink href={runHref(run)} className="table-link">
          <Time at={run.begun_at} />
        </PlainLink>
      </td>
      <td data-label={t('Result')}>
        <Status tone={tone}>{text}</Status>
      </td>
      <td data-label={t('Why it ended')}>
        <span className="cut" dir="auto">
          {fromServer(reason ?? run.ended ?? '')}
        </span>
      </td>
      <td data-label={t('Expectations')}>
        {run.is_passed === null ? (
          <span className="none">{t('None')}</span>
        ) : run.is_passed ? (
          <Status tone="ok">{t('Met')}</Status>
        ) : (
          <Status tone="bad">{t('Not met')}</Status>
        )}
      </td>
      <td data-label={t('Turns')} data-align="end">
        {numberText(turns)}
      </td>
      <td data-label={t('Tokens')} data-align="end">
        {numberText(tokens)}
      </td>
    </tr>
  )
}
