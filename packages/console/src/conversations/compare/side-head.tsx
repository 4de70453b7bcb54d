import { durationText, hungUpBy, t } from '@switchroom/contract'
import { useId, useState } from 'react'
import { Figures } from '../../calls/call/conversation/figures'
import { WithoutConversation } from '../../calls/call/conversation/without'
import { titleOf } from '../../calls/call/title'
import { outcome } from '../../calls/call-text'
import type { SideName, Sides } from '../../calls/compare-address'
import { statusOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { usePhoneFormat } from '../../lib/phone-format'
import { PlainLink } from '../../lib/plain-link'
import { ApplicationLink } from '../../lib/thing-link'
import { Button } from '../../ui/button'
import { Findings } from '../../ui/findings'
import { EmptyState, LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { ExactTime } from '../../ui/time'
import { ChooseCall } from './choose-call'
import { clockOf } from './summary'
import type { Side } from './use-side'

const NAMES = { a: t('Call A'), b: t('Call B') }
const CHOOSE = { a: t('Choose call A'), b: t('Choose call B') }

/** Head of one call: its parties, figures and findings. */
export function SideHead({
  name,
  side,
  other,
  sides,
  isLookedFor,
  onChoose,
  onShow,
}: {
  name: SideName
  side: Side
  /** The call it is compared with. */
  other: Side
  sides: Sides
  /** True until the call before the other one is found. */
  isLookedFor: boolean
  onChoose: (id: string) => void
  /** Shows an entry of this call. */
  onShow: (entry: number) => void
}) {
  const heading = useId()
  const [isOpen, setIsOpen] = useState(false)
  const like = side.call ?? other.call
  return (
    <section className="compare-head" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{NAMES[name]}</h2>
        {like && like.account_sid !== null && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            {CHOOSE[name]}
          </Button>
        )}
      </header>
      {side.call ? (
        <Facts side={side} call={side.call} />
      ) : side.id === undefined ? (
        isLookedFor ? (
          <LoadingState text={t('Looking for the call before it')} />
        ) : (
          <EmptyState text={t('No earlier call with a trace was found.')} />
        )
      ) : statusOf(side.record.error) === 404 ? (
        <EmptyState text={t('Call not found, or its record has expired.')} />
      ) : side.record.error ? (
        <LoadError error={side.record.error} retry={side.record.refetch} />
      ) : (
        <LoadingState text={t('Loading the call')} />
      )}
      {side.conversation ? (
        <>
          <Figures
            conversation={side.conversation}
            party={side.call && hungUpBy(side.call, { trace: side.conversation })}
            onShow={onShow}
          />
          <SideFindings conversation={side.conversation} onShow={onShow} />
        </>
      ) : (
        side.call && <WithoutConversation call={side.call} result={side.result} />
      )}
      {isOpen && like && (
        <ChooseCall
          title={CHOOSE[name]}
          like={like}
          sides={sides}
          onClose={() => setIsOpen(false)}
          onChoose={(id) => {
            setIsOpen(false)
            onChoose(id)
          }}
        />
      )}
    </section>
  )
}

function Facts({ side, call }: { side: Side; call: NonNullable<Side['call']> }) {
  const format = usePhoneFormat([call.from, call.to].filter((n) => n !== null))
  const { tone, word } = outcome(call)
  const lasted = durationText(call.duration)
  return (
    <>
      <p className="compare-call">
        <PlainLink href={`/internal/recent-calls/${encodeURIComponent(side.id ?? '')}`}>
          {titleOf(call, format)}
        </PlainLink>
      </p>
      <dl className="compare-facts">
        <div>
          <dt>{t('Attempted')}</dt>
          <dd>
            <ExactTime at={call.attempted_at} />
          </dd>
        </div>
        <div>
          <dt>{t('Outcome')}</dt>
          <dd>
            <Status tone={tone}>{word}</Status>
          </dd>
        </div>
        {lasted && (
          <div>
            <dt>{t('Duration')}</dt>
            <dd className="numbers">{lasted}</dd>
          </div>
        )}
        {call.application_sid && (
          <div>
            <dt>{t('Application')}</dt>
            <dd>
              <ApplicationLink application_sid={call.application_sid} />
            </dd>
          </div>
        )}
      </dl>
    </>
  )
}

function SideFindings({
  conversation,
  onShow,
}: {
  conversation: NonNullable<Side['conversation']>
  onShow: (entry: number) => void
}) {
  return (
    <>
      <Findings
        findings={conversation.findings.map(({ tone, text, entry }) => ({ tone, text, at: entry }))}
        badText={t('Problem')}
        labelOf={(index) => t('Show the entry at {time}', { time: clockOf(conversation, index) })}
        onShow={onShow}
      />
      {conversation.cut && (
        <p role="note" className="call-cut">
          {t('This call has more messages or spans than this page can show.')}
        </p>
      )}
    </>
  )
}
