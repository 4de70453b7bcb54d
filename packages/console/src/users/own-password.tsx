import { PASSWORDS_DIFFER, passwordProblems, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { issueOn, messageOf } from '../lib/failure'
import { renewAfterChange, replacePassword } from '../lib/session-calls'
import { Button } from '../ui/button'
import { Notice } from '../ui/notice'
import { Section } from '../ui/section'
import { PasswordField } from '../ui/text-field'
import { toastSuccess } from '../ui/toast'
import { PasswordRules, usePasswordRules } from './password-rules'

/** Changes one's own password, also for view-only users. Ends all other sessions. */
export function OwnPassword({ user_sid }: { user_sid: string }) {
  const rules = usePasswordRules()
  const [old, setOld] = useState('')
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [tried, setTried] = useState(false)
  const change = useMutation({
    mutationFn: async () => {
      await replacePassword(user_sid, old, password)
      await renewAfterChange(user_sid)
    },
    onSuccess: () => {
      toastSuccess(t('New password was successfully set.'))
      setOld('')
      setPassword('')
      setConfirm('')
      setTried(false)
    },
  })
  const unmet = rules ? passwordProblems(password, rules) : []
  const wrong = !password
    ? t('Required')
    : unmet.length && t('Password must: {unmet}', { unmet: unmet.join(', ') })
  const isWrongOld = issueOn(change.error, 'old_password') !== undefined
  const refusedNew = issueOn(change.error, 'new_password')
  const submit = (e: FormEvent) => {
    e.preventDefault()
    setTried(true)
    if (old && !wrong && password === confirm && !change.isPending) change.mutate()
  }
  return (
    <Section title={t('Change your password')} about={t('Changing it ends your other sessions.')}>
      <form className="stack" onSubmit={submit} noValidate>
        <PasswordField
          label={t('Current password')}
          autoComplete="current-password"
          value={old}
          onChange={setOld}
          error={
            tried && !old
              ? t('Required')
              : isWrongOld
                ? t('The current password is incorrect')
                : undefined
          }
        />
        <PasswordField
          label={t('New password')}
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          help={<PasswordRules />}
          error={(tried && wrong) || refusedNew}
        />
        <PasswordField
          label={t('Confirm new password')}
          autoComplete="new-password"
          value={confirm}
          onChange={setConfirm}
          error={tried && password !== confirm ? PASSWORDS_DIFFER : undefined}
        />
        {change.error && !isWrongOld && !refusedNew && (
          <Notice tone="bad">{messageOf(change.error)}</Notice>
        )}
        <div>
          <Button type="submit" busy={change.isPending}>
            {change.isPending ? t('Changing password…') : t('Change password')}
          </Button>
        </div>
      </form>
    </Section>
  )
}
