import { type ModelSessions, numberText, REFUSED_EVENTS, t } from '@switchroom/contract'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mayWrite } from '../../lib/access'
import { send } from '../../lib/api'
import { DeleteDialog } from '../../lib/delete-dialog'
import { modelSessions } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { CopyBox } from '../../ui/copy-box'
import { Fact, Facts } from '../../ui/facts'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'
import { Time } from '../../ui/time'
import { TokenDialog } from '../../ui/token-dialog'
import { refusedOf } from './queries'

type Props = {
  account_sid: string
  settings: Pick<ModelSessions, 'address' | 'open_since'>
}

/** The address that takes events of model sessions, its secret, and what was refused. */
export function Address({ account_sid, settings: { address, open_since } }: Props) {
  const [secret, setSecret] = useState<string>()
  const [isReplacing, setIsReplacing] = useState(false)
  const [isRemoving, setIsRemoving] = useState(false)
  const isOpen = open_since !== null
  const replace = useMutation({
    mutationFn: () => send(modelSessions.rotateSecret, { params: { account_sid } }),
    onSuccess: ({ secret: made }) => {
      setIsReplacing(false)
      setSecret(made)
    },
  })
  return (
    <Section
      title={t('Events')}
      about={t(
        'Words, tool calls, interruptions, tokens and errors of llm, agent and s2s verbs stand in the conversation of their call. They are masked and left out as the transcript settings say.',
      )}
    >
      {!isOpen && <Notice tone="info">{t('No events are taken until there is a secret.')}</Notice>}
      <CopyBox
        label={t('Address')}
        value={`${address}/<call_sid>`}
        help={t(
          'Use it as the eventHook of the verb, with the call’s SID: the platform signs these requests with the account’s webhook secret.',
        )}
      />
      <p className="model-help">
        {t(
          'An application that needs the events itself forwards each body, or each llm:event message, with the secret in an Authorization: Bearer header.',
        )}
      </p>
      <Facts>
        <Fact name={t('Secret made')}>{isOpen ? <Time at={open_since} /> : t('None')}</Fact>
      </Facts>
      {mayWrite() && (
        <div className="model-actions">
          <Button size="small" onClick={() => (isOpen ? setIsReplacing(true) : replace.mutate())}>
            {isOpen ? t('Replace secret') : t('Make a secret')}
          </Button>
          {isOpen && (
            <Button size="small" onClick={() => setIsRemoving(true)}>
              {t('Remove secret')}
            </Button>
          )}
        </div>
      )}
      {replace.error && !isReplacing && <Notice tone="bad">{messageOf(replace.error)}</Notice>}
      <Refused account_sid={account_sid} />
      {isReplacing && (
        <ConfirmDialog
          open
          onClose={() => setIsReplacing(false)}
          title={t('Replace secret')}
          confirm={t('Replace secret')}
          onConfirm={() => replace.mutate()}
          busy={replace.isPending}
          error={replace.error && messageOf(replace.error)}
        >
          {t('The current secret stops working at once.')}
        </ConfirmDialog>
      )}
      {isRemoving && (
        <DeleteDialog
          endpoint={modelSessions.removeSecret}
          sent={{ params: { account_sid } }}
          title={t('Remove secret')}
          question={t(
            'Events are no longer taken, not even signed ones. Those received so far are kept.',
          )}
          done={t('Secret removed')}
          onClose={() => setIsRemoving(false)}
        />
      )}
      {secret && (
        <TokenDialog
          title={t('Here is the secret')}
          label={t('Secret')}
          token={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Section>
  )
}

function Refused({ account_sid }: Pick<Props, 'account_sid'>) {
  const { refused } = useSuspenseQuery(refusedOf(account_sid)).data
  if (refused.length === 0) return null
  return (
    <Notice tone="warn">
      <p>{t('Refused in the last 7 days')}</p>
      <ul>
        {refused.map(({ reason, count, last_at }) => (
          <li key={reason}>
            {t('{reason}: {n}', { reason: REFUSED_EVENTS[reason], n: numberText(count) })}
            {' · '}
            <Time at={last_at} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}
