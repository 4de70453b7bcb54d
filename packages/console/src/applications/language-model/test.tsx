import { fromServer, type LanguageModelTest, numberText, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { send } from '../../lib/api'
import { languageModel } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { Button } from '../../ui/button'
import { Status } from '../../ui/status'

/** Asks the stored model for a word. */
export function TestModel({ account_sid }: { account_sid: string }) {
  const test = useMutation({
    mutationFn: () => send(languageModel.test, { params: { account_sid } }),
  })
  return (
    <>
      <span role="status">
        {test.error ? (
          <Status tone="bad">{messageOf(test.error)}</Status>
        ) : (
          test.data && <Result of={test.data} />
        )}
      </span>
      <Button busy={test.isPending} onClick={() => test.mutate()}>
        {t('Test')}
      </Button>
    </>
  )
}

const Result = ({ of: { is_ok, text, ms, tokens } }: { of: LanguageModelTest }) =>
  is_ok ? (
    <Status tone="ok">
      {t('Answered “{text}” in {ms} ms, for {tokens} tokens', {
        ...{ text, ms: numberText(ms), tokens: numberText(tokens) },
      })}
    </Status>
  ) : (
    <Status tone="bad">{t('Test failed: {reason}', { reason: fromServer(text) })}</Status>
  )
