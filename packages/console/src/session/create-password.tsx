import { PASSWORDS_DIFFER, passwordProblems } from '@switchroom/contract'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { claims, takeReturnUrl } from '../lib/session'
import { passwordRules, renewAfterChange, replacePassword } from '../lib/session-calls'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { showFormErrors } from '../ui/form-shell'
import { clearPendingChange, readPendingChange } from './forced-change'
import { LogOutFoot } from './log-out-foot'
import { NewPasswordFields, type PasswordErrors, passwordErrors } from './new-password-fields'
import '../users/password-rules.css'

export function CreatePassword() {
  const pending = readPendingChange()
  return pending && claims() ? <Form {...pending} /> : <Navigate to="/" replace />
}

function Form({ user_sid, old_password }: { user_sid: string; old_password: string }) {
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [errors, setErrors] = useState<PasswordErrors>({})
  const box = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [rules] = useState(passwordRules)

  async function submit(e: FormEvent) {
    e.preventDefault()
    if (busy) return
    const refuse = (wrong: PasswordErrors) =>
      showFormErrors(box, () => {
        setErrors(wrong)
        setBusy(false)
      })
    if (password !== confirm) return refuse({ confirm: PASSWORDS_DIFFER })
    setErrors({})
    setBusy(true)
    const current = await rules
    const unmet = current ? passwordProblems(password, current) : []
    if (unmet.length) return refuse({ password: <Unmet rules={unmet} /> })
    try {
      await replacePassword(user_sid, old_password, password)
      await renewAfterChange(user_sid)
      clearPendingChange()
      await navigate({ href: takeReturnUrl(user_sid), replace: true })
    } catch (error) {
      refuse(passwordErrors(error))
    }
  }

  return (
    <Card title="Create password" intro="You must create a new password">
      <form ref={box} onSubmit={submit} noValidate>
        <NewPasswordFields
          password={password}
          onPassword={setPassword}
          confirm={confirm}
          onConfirm={setConfirm}
          errors={errors}
        />
        <Button type="submit" look="primary" busy={busy}>
          {busy ? 'Creating password…' : 'Create password'}
        </Button>
      </form>
      <LogOutFoot />
    </Card>
  )
}

const Unmet = ({ rules }: { rules: string[] }) => (
  <div className="password-rules">
    Password must:
    <ul>
      {rules.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  </div>
)
