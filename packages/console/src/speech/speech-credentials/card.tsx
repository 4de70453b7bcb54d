import { t } from '@switchroom/contract'
import { cardOf } from '../../lib/thing-card'
import { Owner } from '../../lib/thing-facts'
import { Fact } from '../../ui/facts'
import { Time } from '../../ui/time'
import { useSpeechApi } from './speech-api'
import { StatusCell } from './status-cell'
import { usageText } from './test-result'
import { serviceName } from './vendor-name'
import { viewOf } from './view'

/** With the names of vendors, which no other card needs. */
export const Card = cardOf({
  kind: 'speech_credential',
  useView: (sid) => viewOf(useSpeechApi(), sid),
  name: serviceName,
  facts: (row) => (
    <>
      <Fact name={t('Status')}>
        <StatusCell row={row} tested={undefined} />
      </Fact>
      <Fact name={t('Usage')}>{usageText(row)}</Fact>
      <Fact name={t('Available to')}>
        <Owner account_sid={row.account_sid} />
      </Fact>
      <Fact name={t('Last used')}>
        <Time at={row.last_used} />
      </Fact>
    </>
  ),
})
