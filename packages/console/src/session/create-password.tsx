import { PASSWORDS_DIFFER, passwordProblems } from '@switchroom/contract'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../lib/failure'
import { claims, homeHref, takeReturnUrl } from '../lib/session'
import { passwordRules, renewAfterChange, replacePassword } from '../lib/session-calls'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { Notice } from '../ui/notice'
import { clearPendingChange, readPendingChange } from './forced-change'
import { LogOutFoot } from './log-out-foot'
import { NewPasswordFields } from './new-password-fields'

export function CreatePassword() {
  const pending = readPendingChange()
  return pending && claims() ? <Form {...pending} /> : <Navigate to="/" replace />
}

function Form({ user_sid, old_password }: { user_sid: string; old_password: string }) {
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [problems, setProblems] = useState<string[]>([])
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [rules] = useState(passwordRules)

  async function submit(e: FormEvent) {
    e.preventDefault()
    if (busy) return
    const differ = password !== confirm
    setProblem(differ ? PASSWORDS_DIFFER : undefined)
    setProblems([])
    if (differ) return
    setBusy(true)
    const current = await rules
    const unmet = current ? passwordProblems(password, current) : []
    if (unmet.length) {
      setProblems(unmet)
      setBusy(false)
      return
    }
    try {
      await replacePassword(user_sid, old_password, password)
      await renewAfterChange(user_sid)
      clearPendingChange()
      await navigate({ href: takeReturnUrl(user_sid) ?? homeHref(), replace: true })
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Card title="Create password" intro="You must create a new password">
      <form onSubmit={submit} noValidate>
        <NewPasswordFields
          password={password}
          onPassword={setPassword}
          confirm={confirm}
          onConfirm={setConfirm}
        />
        {problem && <Notice tone="bad">{problem}</Notice>}
        {problems.length > 0 && (
          <Notice tone="bad">
            Password must:
            <ul>
              {problems.map((p) => (
                <li key={p}>{p}</li>
              ))}
            </ul>
          </Notice>
        )}
        <Button type="submit" look="primary" busy={busy}>
          {busy ? 'Creating password…' : 'Create password'}
        </Button>
      </form>
      <LogOutFoot />
    </Card>
  )
}
