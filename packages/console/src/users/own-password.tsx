import { PASSWORDS_DIFFER, passwordProblems } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../lib/failure'
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
      toastSuccess('New password was successfully set.')
      setOld('')
      setPassword('')
      setConfirm('')
      setTried(false)
    },
  })
  const unmet = password ? (rules ? passwordProblems(password, rules) : []) : ['Required']
  const problem =
    (tried && (password !== confirm ? PASSWORDS_DIFFER : undefined)) ||
    (change.error ? messageOf(change.error) : undefined)
  const submit = (e: FormEvent) => {
    e.preventDefault()
    setTried(true)
    if (old && unmet.length === 0 && password === confirm && !change.isPending) change.mutate()
  }
  return (
    <Section title="Change your password" about="Changing it ends your other sessions.">
      <form className="stack" onSubmit={submit} noValidate>
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          value={old}
          onChange={setOld}
          error={tried && !old ? 'Required' : undefined}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          help={<PasswordRules />}
          error={tried && unmet.length ? `Password must: ${unmet.join(', ')}` : undefined}
        />
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          value={confirm}
          onChange={setConfirm}
        />
        {problem && <Notice tone="bad">{problem}</Notice>}
        <div>
          <Button type="submit" busy={change.isPending}>
            {change.isPending ? 'Changing password…' : 'Change password'}
          </Button>
        </div>
      </form>
    </Section>
  )
}
