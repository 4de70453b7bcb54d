import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { INLINE } from '../lib/block-query'
import { AccountLink } from '../lib/thing-link'
import { useSpeechApi } from '../speech/speech-credentials/speech-api'
import { StatusCell } from '../speech/speech-credentials/status-cell'
import { usageText } from '../speech/speech-credentials/test-result'
import { serviceName } from '../speech/speech-credentials/vendor-name'
import { viewOf } from '../speech/speech-credentials/view'
import { Fact } from '../ui/facts'
import { Time } from '../ui/time'
import { PeekOf } from './peek-of'

export const PeekSpeech = ({ sid }: { sid: string }) => (
  <PeekOf
    kind="speech_credential"
    sid={sid}
    asked={useQuery({ ...viewOf(useSpeechApi(), sid), ...INLINE })}
    name={serviceName}
  >
    {(row) => (
      <>
        <Fact name={t('Status')}>
          <StatusCell row={row} tested={undefined} />
        </Fact>
        <Fact name={t('Usage')}>{usageText(row)}</Fact>
        <Fact name={t('Available to')}>
          {row.account_sid ? <AccountLink account_sid={row.account_sid} /> : t('All accounts')}
        </Fact>
        <Fact name={t('Last used')}>
          <Time at={row.last_used} />
        </Fact>
      </>
    )}
  </PeekOf>
)
