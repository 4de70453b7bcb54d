import { type AccountView, t, USAGE_LIMITS } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { LastChanges } from '../../audit/last-changes'
import { mayWrite } from '../../lib/access'
import { config, isSwitchroom } from '../../lib/config'
import type { ThingOwner } from '../../lib/follow-provider'
import { NextStep } from '../../lib/next-step'
import { PlainLink } from '../../lib/plain-link'
import { ThingState } from '../../lib/state/thing-state'
import { OverviewHead } from '../../lib/thing-head'
import { editHref } from '../../lib/thing-href'
import { ThingLink } from '../../lib/thing-link'
import { hasNone, UsesBlock, useUses } from '../../lib/uses-block'
import { Block, Blocks } from '../../ui/block'
import { Fact, Facts } from '../../ui/facts'
import { Sid } from '../../ui/sid'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { planText } from './plan-text'
import { viewOf } from './queries'

const route = getRouteApi('/internal/accounts/$account_sid')

type Slots = {
  /** Calls are above accounts. */
  Calls: ComponentType<{ owner: ThingOwner }>
}

export function AccountOverview({ Calls }: Slots) {
  const { account_sid: sid } = route.useParams()
  const { data: account } = useSuspenseQuery(viewOf(sid))
  return (
    <>
      <OverviewHead
        kind="account"
        what={t('Account')}
        sid={sid}
        name={account.name}
        owner={account}
        mayEdit={mayWrite()}
      >
        {isSwitchroom() && (
          <PlainLink className="button button-plain" href={`/internal/accounts/${sid}/report`}>
            {t('Report')}
          </PlainLink>
        )}
      </OverviewHead>
      <ThingState kind="account" sid={sid} />
      {mayWrite() && <Next account={account} />}
      <Block title={t('Details')}>
        <Details account={account} />
      </Block>
      <Blocks
        side={
          <UsesBlock
            kind="account"
            sid={sid}
            title={t('Contains')}
            empty={t('This account is empty.')}
          />
        }
      >
        <Calls key={sid} owner={account} />
        <LastChanges sid={sid} />
      </Blocks>
    </>
  )
}

function Details({ account: a }: { account: AccountView }) {
  const none = <span className="none">{t('None')}</span>
  const application = (sid: string | null, name: string | null | undefined) =>
    sid ? <ThingLink kind="application" sid={sid} name={name ?? `${sid.slice(0, 8)}…`} /> : none
  const limits = USAGE_LIMITS.flatMap(({ category, label }) => {
    const limit = a.limits.find((l) => l.category === category)
    return limit ? [{ label, text: limit.quantity === 0 ? t('Unlimited') : limit.quantity }] : []
  })
  return (
    <Facts inline>
      {a.is_active === 0 && (
        <Fact name={t('Status')}>
          <Status tone="bad">{t('Inactive')}</Status>
        </Fact>
      )}
      <Fact name={t('SIP realm')}>{a.sip_realm ? <code>{a.sip_realm}</code> : none}</Fact>
      <Fact name={t('Application for SIP device calls')}>
        {application(a.device_calling_application_sid, a.device_calling_application_name)}
      </Fact>
      {a.siprec_hook_sid && (
        <Fact name={t('Application for SIPREC calls')}>
          {application(a.siprec_hook_sid, a.siprec_hook_name)}
        </Fact>
      )}
      <Fact name={t('Registration webhook')}>
        {a.registration_hook?.url ? <code>{a.registration_hook.url}</code> : none}
      </Fact>
      {limits.map(({ label, text }) => (
        <Fact key={label} name={label}>
          {text}
        </Fact>
      ))}
      {!config.DISABLE_CALL_RECORDING && (
        <Fact name={t('Record all calls')}>{a.record_all_calls ? t('Yes') : t('No')}</Fact>
      )}
      {isSwitchroom() && (
        <Fact name={t('Transcripts')}>
          <PlainLink href={`/internal/accounts/${a.account_sid}/transcripts`}>
            {t('Transcript settings')}
          </PlainLink>
        </Fact>
      )}
      {isSwitchroom() && (
        <Fact name={t('Language model')}>
          <PlainLink href={`/internal/accounts/${a.account_sid}/language-model`}>
            {t('Model for simulated callers')}
          </PlainLink>
        </Fact>
      )}
      {isSwitchroom() && (
        <Fact name={t('Model sessions')}>
          <PlainLink href={`/internal/accounts/${a.account_sid}/model-sessions`}>
            {t('Events and prices')}
          </PlainLink>
        </Fact>
      )}
      {isSwitchroom() && (
        <Fact name={t('Configuration')}>
          <PlainLink href={`/internal/configuration?account_sid=${a.account_sid}`}>
            {t('Export configuration')}
          </PlainLink>
        </Fact>
      )}
      {config.ENABLE_HOSTED_SYSTEM && <Fact name={t('Plan')}>{planText(a.plan_type)}</Fact>}
      <Fact name={t('Created')}>
        <Time at={a.created_at} none={t('Unknown')} />
      </Fact>
      <Fact name={t('Account SID')}>
        <Sid sid={a.account_sid} />
      </Fact>
    </Facts>
  )
}

function Next({ account: { account_sid, sip_realm } }: { account: AccountView }) {
  const uses = useUses('account', account_sid).data
  return (
    <NextStep
      steps={[
        hasNone(uses, 'application') && {
          text: t('This account has no application to handle its calls.'),
          action: t('Add an application'),
          href: '/internal/applications/add',
        },
        hasNone(uses, 'phone_number') && {
          text: t('This account has no phone number to be called on.'),
          action: t('Add a phone number'),
          href: '/internal/phone-numbers/add',
        },
        !sip_realm && {
          text: t('This account has no SIP realm, so no SIP devices can register.'),
          action: t('Set a SIP realm'),
          href: config.ENABLE_HOSTED_SYSTEM
            ? `/internal/accounts/${account_sid}/sip-realm/edit`
            : editHref('account', account_sid),
        },
      ]}
    />
  )
}
