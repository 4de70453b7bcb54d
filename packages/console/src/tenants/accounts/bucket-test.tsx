import { fromServer, type BucketTest as Outcome, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { send } from '../../lib/api'
import { accounts } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { Button } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { Notice } from '../../ui/notice'

/** Tests the form's bucket, saved or not. `credential` is null while it is incomplete. */
export function BucketTest({
  account_sid,
  credential,
}: {
  account_sid: string
  credential: Record<string, unknown> | null
}) {
  const readOnly = useReadOnly()
  const test = useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      send(accounts.testBucket, { params: { account_sid }, body }),
  })
  // a result applies to the credential it was made with
  const current = JSON.stringify(test.variables) === JSON.stringify(credential)
  if (readOnly) return null
  return (
    <>
      <div>
        <Button
          size="small"
          disabled={!credential}
          busy={test.isPending}
          onClick={() => credential && test.mutate(credential)}
        >
          {test.isPending ? t('Testing…') : t('Test')}
        </Button>
      </div>
      {current && test.error && <Notice tone="bad">{messageOf(test.error)}</Notice>}
      {current && test.data && <TestResult outcome={test.data} />}
    </>
  )
}

const TestResult = ({ outcome }: { outcome: Outcome }) =>
  outcome.status === 'ok' ? (
    <Notice tone="ok">{t('Bucket Credential is valid.')}</Notice>
  ) : outcome.status === 'not tested' ? (
    <Notice tone="info">{`${t('Not tested')}. ${fromServer(outcome.reason)}.`}</Notice>
  ) : (
    <Notice tone="bad">{fromServer(outcome.reason)}</Notice>
  )
