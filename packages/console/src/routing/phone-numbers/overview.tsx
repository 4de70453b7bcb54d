import { type PhoneNumberView, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LastChanges } from '../../audit/last-changes'
import { ThingCalls } from '../../calls/thing-calls'
import { mayWrite } from '../../lib/access'
import { NextStep } from '../../lib/next-step'
import { usePhoneFormat } from '../../lib/phone-format'
import { ThingState } from '../../lib/state/thing-state'
import { OverviewHead } from '../../lib/thing-head'
import { editHref } from '../../lib/thing-href'
import { AccountLink, ApplicationLink, CarrierLink } from '../../lib/thing-link'
import { Block, Blocks } from '../../ui/block'
import { Fact, Facts } from '../../ui/facts'
import { Sid } from '../../ui/sid'
import { viewOf } from './queries'

const route = getRouteApi('/internal/phone-numbers/$phone_number_sid')

export function PhoneNumberOverview() {
  const { phone_number_sid: sid } = route.useParams()
  const { data: number } = useSuspenseQuery(viewOf(sid))
  const format = usePhoneFormat([number.number])
  return (
    <>
      <OverviewHead
        kind="phone_number"
        what={t('Phone number')}
        sid={sid}
        name={format(number.number)}
        owner={number}
        mayEdit={mayWrite()}
      />
      {number.application_sid && <ThingState kind="phone_number" sid={sid} />}
      {mayWrite() && (
        <NextStep
          steps={[
            !number.application_sid && {
              text: t('No application answers calls to this number.'),
              action: t('Choose an application'),
              href: editHref('phone_number', sid),
            },
          ]}
        />
      )}
      <Block title={t('Details')}>
        <Details number={number} />
      </Block>
      <Blocks>
        <ThingCalls key={sid} owner={number} of={{ filter: number.number.replace(/^\+/, '') }} />
        <LastChanges sid={sid} />
      </Blocks>
    </>
  )
}

function Details({ number }: { number: PhoneNumberView }) {
  const { account_sid, application_sid, voip_carrier_sid } = number
  const none = (text: string) => <span className="none">{text}</span>
  return (
    <Facts inline>
      <Fact name={t('Account')}>
        {account_sid ? <AccountLink account_sid={account_sid} /> : none(t('Unassigned'))}
      </Fact>
      <Fact name={t('Application')}>
        {application_sid ? <ApplicationLink application_sid={application_sid} /> : none(t('None'))}
      </Fact>
      <Fact name={t('Carrier')}>
        {voip_carrier_sid ? <CarrierLink voip_carrier_sid={voip_carrier_sid} /> : none(t('None'))}
      </Fact>
      <Fact name={t('Stored as')}>
        <code>{number.number}</code>
      </Fact>
      {number.description && <Fact name={t('Description')}>{number.description}</Fact>}
      <Fact name={t('Phone number SID')}>
        <Sid sid={number.phone_number_sid} />
      </Fact>
    </Facts>
  )
}
