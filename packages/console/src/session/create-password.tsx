import { PASSWORDS_DIFFER, passwordProblems, t } from '@switchroom/contract'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { atLeast, mayWrite } from '../lib/access'
import { isSwitchroom } from '../lib/config'
import { isShown } from '../lib/getting-started-shown'
import { claims, homeHref, takeReturnUrl } from '../lib/session'
import { passwordRules, renewAfterChange, replacePassword } from '../lib/session-calls'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { showFormErrors } from '../ui/form-shell'
import { rich } from '../ui/rich'
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
      await navigate({ href: placeAfter(user_sid), replace: true })
    } catch (error) {
      refuse(passwordErrors(error))
    }
  }

  return (
    <Card title={t('Create password')} intro={t('You must create a new password')}>
      <form ref={box} onSubmit={submit} noValidate>
        <NewPasswordFields
          password={password}
          onPassword={setPassword}
          confirm={confirm}
          onConfirm={setConfirm}
          errors={errors}
        />
        <Button type="submit" look="primary" busy={busy}>
          {busy ? t('Creating password…') : t('Create password')}
        </Button>
      </form>
      <LogOutFoot />
    </Card>
  )
}

/** Who has just installed the server begins with the first steps. */
function placeAfter(user_sid: string) {
  const place = takeReturnUrl(user_sid)
  const isNew = atLeast('admin') && mayWrite() && isSwitchroom() && isShown()
  return isNew && place === homeHref() ? '/internal/getting-started' : place
}

const Unmet = ({ rules }: { rules: string[] }) => (
  <div className="password-rules">
    {rich('Password must:{ul}', {
      ul: (
        <ul>
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      ),
    })}
  </div>
)
