import { t } from '@switchroom/contract'
import { Link, Navigate, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { issueOn, messageOf } from '../../lib/failure'
import { linkTo } from '../../lib/link-to'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { showFormErrors } from '../../ui/form-shell'
import { Notice } from '../../ui/notice'
import { PasswordField, TextField } from '../../ui/text-field'
import { useCapsLock } from '../caps-lock'
import { registerByEmail } from './calls'
import { registrationState } from './registration-state'

type FieldErrors = { email?: string | undefined; password?: string | undefined; form?: string }

export function RegisterByEmail() {
  const noMail = useCapabilities()?.mail === false
  if (!registrationState.termsAccepted.read()) return <Navigate {...linkTo('/register')} replace />
  return (
    <Card title={t('Register with email')}>
      {noMail ? (
        <Notice tone="info">
          {t('Email is not configured on this server, so you cannot register by email yet.')}
        </Notice>
      ) : (
        <Form />
      )}
      <p className="public-foot">
        <Link {...linkTo('/register')}>{t('Go back')}</Link>
      </p>
    </Card>
  )
}

function Form() {
  const navigate = useNavigate()
  const [email, setEmail] = useState(() => registrationState.pending.read()?.email ?? '')
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<FieldErrors>({})
  const [busy, setBusy] = useState(false)
  const box = useRef<HTMLFormElement>(null)
  const caps = useCapsLock()

  const refuse = (next: FieldErrors) =>
    showFormErrors(box, () => {
      setWrong(next)
      setBusy(false)
    })
  async function submit(e: FormEvent) {
    e.preventDefault()
    if (busy) return
    if (!email.trim() || !password)
      return refuse({
        email: email.trim() ? undefined : t('Enter your email'),
        password: password ? undefined : t('Choose a password'),
      })
    setWrong({})
    setBusy(true)
    try {
      await registerByEmail(email.trim(), password)
      await navigate({ ...linkTo('/register/email/verify-your-email') })
    } catch (e) {
      const marks = { email: issueOn(e, 'email'), password: issueOn(e, 'password') }
      refuse(marks.email || marks.password ? marks : { form: messageOf(e) })
    }
  }

  return (
    <form ref={box} onSubmit={submit} noValidate>
      <TextField
        label={t('Email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        autoFocus
        required
        value={email}
        onChange={setEmail}
        error={wrong.email}
      />
      <PasswordField
        label={t('Password')}
        autoComplete="new-password"
        required
        value={password}
        onChange={setPassword}
        error={wrong.password}
        help={caps.help}
        {...caps.keys}
      />
      {wrong.form && <Notice tone="bad">{wrong.form}</Notice>}
      <Button type="submit" look="primary" busy={busy}>
        {busy ? t('Sending you a code…') : t('Continue')}
      </Button>
    </form>
  )
}
