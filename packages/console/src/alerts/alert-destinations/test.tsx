import { fromServer, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { send } from '../../lib/api'
import { alertDestinations } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'

/** Sends a test message to the stored destination and shows the answer. */
export function TestDestination({ alert_destination_sid }: { alert_destination_sid: string }) {
  const test = useMutation({
    mutationFn: () => send(alertDestinations.test, { params: { alert_destination_sid } }),
  })
  const failed = test.error
    ? messageOf(test.error)
    : test.data && !test.data.ok && test.data.message
  return (
    <div className="destination-test">
      <Section
        title={t('Test')}
        about={t(
          'Sends a test alert with the saved settings, even if the destination is inactive.',
        )}
      >
        <div>
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            <Send aria-hidden />
            {test.isPending ? t('Sending…') : t('Send test alert')}
          </Button>
        </div>
        {failed && (
          <Notice tone="bad">
            {t('Not delivered: {failed}.', { failed: fromServer(failed) })}
          </Notice>
        )}
        {test.data?.ok && (
          <Notice tone="ok">
            {t('Delivered: {message}.', { message: fromServer(test.data.message) })}
          </Notice>
        )}
      </Section>
    </div>
  )
}
