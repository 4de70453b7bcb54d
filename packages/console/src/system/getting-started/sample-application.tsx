import { t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { send } from '../../lib/api'
import { applications } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { Button } from '../../ui/button'
import { toastError, toastSuccess } from '../../ui/toast'

const NAME = t('Sample: hello')
/** The public examples of the platform's makers: their own installations begin with these. Its verbs come before the call webhook. */
const EXAMPLES = 'https://public-apps.jambonz.cloud'
const VERBS = [
  { verb: 'answer' },
  { verb: 'pause', length: 1 },
  { verb: 'say', text: 'Hello. Your first call has arrived.' },
  { verb: 'pause', length: 5 },
  { verb: 'hangup' },
]

/** Adds an application that answers, speaks and hangs up. */
export function SampleApplication({
  account_sid,
  isNext,
}: {
  account_sid: string | undefined
  isNext: boolean
}) {
  const create = useMutation({
    mutationFn: () =>
      send(applications.create, {
        body: {
          name: NAME,
          account_sid: account_sid!,
          call_hook: { url: `${EXAMPLES}/hello-world`, method: 'POST' },
          call_status_hook: { url: `${EXAMPLES}/call-status`, method: 'POST' },
          app_json: JSON.stringify(VERBS, null, 2),
        },
      }),
    onSuccess: () => toastSuccess(t('Application created successfully')),
    onError: (error) => toastError(messageOf(error)),
  })
  if (account_sid === undefined)
    return <p>{t('Applications belong to an account. Add an account first.')}</p>
  return (
    <>
      <p className="step-note">
        {t(
          'The sample answers, says a sentence if the account has text-to-speech, and hangs up. It sends call status to the public examples of jambonz until you change its webhook.',
        )}
      </p>
      <Button
        size="small"
        look={isNext ? 'primary' : 'plain'}
        busy={create.isPending}
        onClick={() => create.mutate()}
      >
        {create.isPending ? t('Adding…') : t('Add the sample application')}
      </Button>
    </>
  )
}
