import { type SpeechCredentialView, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LastChanges } from '../../audit/last-changes'
import { ownAccount } from '../../lib/access'
import { NextStep } from '../../lib/next-step'
import { ThingState } from '../../lib/state/thing-state'
import { OverviewHead } from '../../lib/thing-head'
import { editHref } from '../../lib/thing-href'
import { AccountLink } from '../../lib/thing-link'
import { UsesBlock } from '../../lib/uses-block'
import { Block, Blocks } from '../../ui/block'
import { Fact, Facts } from '../../ui/facts'
import { Sid } from '../../ui/sid'
import { Time } from '../../ui/time'
import { mayChange, useSpeechApi } from './speech-api'
import { StatusCell } from './status-cell'
import { lastTest, summarize, usageText } from './test-result'
import { serviceName, vendorName } from './vendor-name'
import { viewOf } from './view'

const route = getRouteApi('/internal/speech-services/$speech_credential_sid')

export function SpeechOverview() {
  const { speech_credential_sid: sid } = route.useParams()
  const { data: row } = useSuspenseQuery(viewOf(useSpeechApi(), sid))
  return (
    <>
      <OverviewHead
        kind="speech_credential"
        what={t('Speech service')}
        sid={sid}
        name={serviceName(row)}
        owner={row}
        mayEdit={mayChange(row)}
      />
      <ThingState kind="speech_credential" sid={sid} />
      {mayChange(row) && <Next row={row} />}
      <Block title={t('Details')}>
        <Details row={row} />
      </Block>
      <Blocks
        side={
          <UsesBlock
            kind="speech_credential"
            sid={sid}
            empty={t('No application uses this service.')}
          />
        }
      >
        <LastChanges sid={sid} />
      </Blocks>
    </>
  )
}

const Details = ({ row }: { row: SpeechCredentialView }) => (
  <Facts inline>
    <Fact name={t('Vendor')}>{vendorName(row.vendor)}</Fact>
    <Fact name={t('Label')}>{row.label ?? <span className="none">{t('None')}</span>}</Fact>
    <Fact name={t('Usage')}>{usageText(row)}</Fact>
    <Fact name={t('Available to')}>
      {row.account_sid === null ? (
        t('All accounts')
      ) : ownAccount() === row.account_sid ? (
        t('This account')
      ) : (
        <AccountLink account_sid={row.account_sid} />
      )}
    </Fact>
    <Fact name={t('Status')}>
      <StatusCell row={row} tested={undefined} />
    </Fact>
    <Fact name={t('Last used')}>
      <Time at={row.last_used} />
    </Fact>
    <Fact name={t('Created')}>
      <Time at={row.created_at} none={t('Unknown')} />
    </Fact>
    <Fact name={t('Speech service SID')}>
      <Sid sid={row.speech_credential_sid} />
    </Fact>
  </Facts>
)

function Next({ row }: { row: SpeechCredentialView }) {
  const { status } = summarize(lastTest(row).result, row)
  const href = editHref('speech_credential', row.speech_credential_sid)
  return (
    <NextStep
      steps={[
        row.unreadable && {
          text: t('The stored credential can no longer be decrypted.'),
          action: t('Enter it again'),
          href,
        },
        status === 'fail' && {
          text: t('The last test of this service failed.'),
          action: t('Check its settings'),
          href,
        },
        status === 'not tested' && {
          text: t('This service has not been tested with its present settings.'),
          action: t('Test it'),
          href,
        },
      ]}
    />
  )
}
