import { fromServer, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { messageOf } from '../../lib/failure'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'

/** Sends a test to where something is delivered, and shows the answer. */
export function TestDelivery({
  about,
  button,
  test: ask,
}: {
  about: string
  button: string
  test: () => Promise<{ ok: boolean; message: string }>
}) {
  const test = useMutation({ mutationFn: ask })
  const failed = test.error
    ? messageOf(test.error)
    : test.data && !test.data.ok && test.data.message
  return (
    <div className="destination-test">
      <Section title={t('Test')} about={about}>
        <div>
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            <Send aria-hidden />
            {test.isPending ? t('Sending…') : button}
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
