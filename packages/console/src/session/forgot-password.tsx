import { RESET_MAIL_SENT, t } from '@switchroom/contract'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../lib/failure'
import { forgotPassword } from '../lib/log-in-calls'
import { setFlash } from '../lib/session'
import { useCapabilities } from '../lib/use-capabilities'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { Notice } from '../ui/notice'
import { TextField } from '../ui/text-field'
import { BackToLogIn } from './back-to-log-in'

export function ForgotPassword() {
  const navigate = useNavigate()
  const server = useCapabilities()
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const noMail = server?.mail === false

  async function submit(e: FormEvent) {
    e.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await forgotPassword(email.trim())
      setFlash({ text: RESET_MAIL_SENT, good: true })
      await navigate({ to: '/' })
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Card
      title={t('Forgot Password')}
      intro={noMail ? undefined : t('Enter your email and we will send you a password reset link')}
    >
      {noMail ? (
        <Notice tone="info">
          {t(
            'Email is not configured on this server, so it cannot send a reset link. Ask an administrator for a new password.',
          )}
        </Notice>
      ) : (
        <form onSubmit={submit} noValidate>
          <TextField
            label={t('Email')}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoFocus
            value={email}
            onChange={setEmail}
            error={problem}
          />
          <Button type="submit" look="primary" busy={busy}>
            {busy ? t('Sending…') : t('Send me a reset password link')}
          </Button>
        </form>
      )}
      <BackToLogIn />
    </Card>
  )
}
