import { ApiError, fromServer, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../lib/api'
import { type Reply, singleSignOn } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { TextArea } from '../../ui/text-field'
import { SCOPES } from './rules'
import { rulesToSend, type Values } from './values'

/** Applies the rules of the form, saved or not, to a pasted token. */
export function TryRules({ rules }: { rules: () => Values['rules'] }) {
  const [sample, setSample] = useState('')
  const test = useMutation({
    mutationFn: () =>
      send(singleSignOn.testRules, { body: { sample, rules: rulesToSend(rules()) } }),
  })
  return (
    <div className="try-rules">
      <TextArea
        label={t('Sample token')}
        optional
        mono
        rows={4}
        value={sample}
        onChange={setSample}
        help={t('An ID token, or its claims as JSON. It is neither stored nor used to log in.')}
      />
      <div>
        <Button
          size="small"
          busy={test.isPending}
          disabled={!sample.trim()}
          onClick={() => test.mutate()}
        >
          {t('Test rules')}
        </Button>
      </div>
      <div role="status">
        {test.error && <Notice tone="bad">{problemOf(test.error)}</Notice>}
        {test.data && <Outcome result={test.data} />}
      </div>
    </div>
  )
}

/** A rule that is not complete is named, since its field does not show this error. */
function problemOf(error: unknown) {
  const [issue] = error instanceof ApiError ? error.body.issues : []
  if (issue?.path[0] === 'rules' && typeof issue.path[1] === 'number')
    return t('Rule {path}: {message}', {
      path: issue.path[1] + 1,
      message: fromServer(issue.message),
    })
  return messageOf(error)
}

function Outcome({ result }: { result: Reply<typeof singleSignOn.testRules> }) {
  const { matched, user, problem } = result
  const rule = matched !== null && t('Rule {number} applies.', { number: matched + 1 })
  if (!user)
    return (
      <Notice tone="bad">
        {rule} {t('Refused: {problem}', { problem: fromServer(problem ?? '') })}
      </Notice>
    )
  const scope = SCOPES.find((s) => s.value === user.scope)?.label ?? user.scope
  const person = user.name === user.email ? user.email : `${user.name} (${user.email})`
  const owner = user.account_name ?? user.service_provider_name
  const values = { person, access: owner ? `${scope} ${owner}` : scope }
  return (
    <Notice tone="ok">
      {rule}{' '}
      {user.is_view_only
        ? t('{person} logs in as {access}, view-only.', values)
        : t('{person} logs in as {access}.', values)}
    </Notice>
  )
}
