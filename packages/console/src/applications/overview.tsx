import { type ApplicationView, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Phone, Send } from 'lucide-react'
import type { ComponentType } from 'react'
import { LastChanges } from '../audit/last-changes'
import { mayWrite } from '../lib/access'
import { config } from '../lib/config'
import type { ThingOwner } from '../lib/follow-provider'
import { NextStep } from '../lib/next-step'
import { PlainLink } from '../lib/plain-link'
import { ThingState } from '../lib/state/thing-state'
import { OverviewHead } from '../lib/thing-head'
import { AccountLink } from '../lib/thing-link'
import { useCapabilities } from '../lib/use-capabilities'
import { hasNone, UsesBlock, useUses } from '../lib/uses-block'
import { Block, Blocks } from '../ui/block'
import { buttonClass } from '../ui/button'
import { Fact, Facts } from '../ui/facts'
import { Sid } from '../ui/sid'
import { Time } from '../ui/time'
import { viewOf } from './queries'

const route = getRouteApi('/internal/applications/$application_sid')

type Slots = {
  /** Calls are above applications. */
  Calls: ComponentType<{ owner: ThingOwner; of: { application_sid: string } }>
}

export function ApplicationOverview({ Calls }: Slots) {
  const { application_sid: sid } = route.useParams()
  const { data: application } = useSuspenseQuery(viewOf(sid))
  const isOurs = !!useCapabilities()
  return (
    <>
      <OverviewHead
        kind="application"
        what={t('Application')}
        sid={sid}
        name={application.name}
        owner={application}
        mayEdit={mayWrite()}
      >
        {isOurs && (
          <PlainLink href={`/internal/applications/${sid}/try`} className={buttonClass()}>
            <Phone aria-hidden />
            {t('Try it')}
          </PlainLink>
        )}
        {mayWrite() && isOurs && (
          <PlainLink href={`/internal/applications/${sid}/test`} className={buttonClass()}>
            <Send aria-hidden />
            {t('Send a test request')}
          </PlainLink>
        )}
      </OverviewHead>
      <ThingState kind="application" sid={sid} />
      {mayWrite() && <Next application={application} />}
      <Block title={t('Details')}>
        <Details application={application} />
      </Block>
      <Blocks
        side={
          <UsesBlock kind="application" sid={sid} empty={t('Nothing uses this application.')} />
        }
      >
        <Calls key={sid} owner={application} of={{ application_sid: sid }} />
        <LastChanges sid={sid} />
      </Blocks>
    </>
  )
}

const hook = (of: ApplicationView['call_hook']) =>
  of?.url ? <code>{of.url}</code> : <span className="none">{t('None')}</span>

/** Vendor, language and voice, as far as they are set. */
const speech = (...parts: (string | null)[]) =>
  parts.filter((part) => part).join(', ') || <span className="none">{t('None')}</span>

function Details({ application: a }: { application: ApplicationView }) {
  return (
    <Facts inline>
      {a.account_sid && (
        <Fact name={t('Account')}>
          <AccountLink account_sid={a.account_sid} />
        </Fact>
      )}
      <Fact name={t('Calling webhook')}>{hook(a.call_hook)}</Fact>
      <Fact name={t('Call status webhook')}>{hook(a.call_status_hook)}</Fact>
      <Fact name={t('Text-to-speech')}>
        {speech(a.speech_synthesis_vendor, a.speech_synthesis_language, a.speech_synthesis_voice)}
      </Fact>
      <Fact name={t('Speech-to-text')}>
        {speech(a.speech_recognizer_vendor, a.speech_recognizer_language)}
      </Fact>
      {!config.DISABLE_CALL_RECORDING && (
        <Fact name={t('Record all calls')}>{a.record_all_calls ? t('Yes') : t('No')}</Fact>
      )}
      <Fact name={t('Created')}>
        <Time at={a.created_at} none={t('Unknown')} />
      </Fact>
      <Fact name={t('Application SID')}>
        <Sid sid={a.application_sid} />
      </Fact>
    </Facts>
  )
}

function Next({ application: { application_sid, account_sid } }: { application: ApplicationView }) {
  const uses = useUses('application', application_sid).data
  return (
    <NextStep
      steps={[
        hasNone(uses, 'phone_number') && {
          text: t('No phone number uses this application yet.'),
          action: t('Assign a phone number'),
          href: `/internal/phone-numbers${account_sid ? `?account_sid=${account_sid}` : ''}`,
        },
      ]}
    />
  )
}
