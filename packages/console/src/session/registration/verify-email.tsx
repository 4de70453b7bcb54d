import { REGISTRATION_CODE_DIGITS, t } from '@switchroom/contract'
import { Link, Navigate, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { messageOf, statusOf } from '../../lib/failure'
import { linkTo } from '../../lib/link-to'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { TextField } from '../../ui/text-field'
import { checkCode, sendCode, startSession } from './calls'
import { registrationState } from './registration-state'
import './register.css'

export function VerifyEmail() {
  const [pending] = useState(registrationState.pending.read)
  return pending ? <Verify {...pending} /> : <Navigate {...linkTo('/register/email')} replace />
}

const CODE_INVALID = t(
  'This code is wrong or has expired. Check your latest email, or send another code.',
)
const REGISTRATION_EXPIRED = t('This registration has expired. Go back and start again.')

const digitsOf = (text: string) => text.replace(/\D/g, '').slice(0, REGISTRATION_CODE_DIGITS)

function Verify({ jwt, user_sid, email }: { jwt: string; user_sid: string; email: string }) {
  const navigate = useNavigate()
  const mailsAgain = !!useCapabilities()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [sent, setSent] = useState(false)
  const [busy, setBusy] = useState<'checking' | 'sending'>()
  const box = useRef<HTMLFormElement>(null)

  async function submit(e: FormEvent) {
    e.preventDefault()
    if (busy) return
    if (code.length < REGISTRATION_CODE_DIGITS)
      return refuse(
        t('Enter the {REGISTRATION_CODE_DIGITS} digits of the code', { REGISTRATION_CODE_DIGITS }),
      )
    setBusy('checking')
    setProblem(undefined)
    try {
      await checkCode(user_sid, code)
      registrationState.pending.remove()
      startSession(jwt)
      await navigate({ ...linkTo('/register/choose-a-subdomain'), replace: true })
    } catch (e) {
      refuse(statusOf(e) === 400 ? CODE_INVALID : messageOf(e))
    }
  }
  async function again() {
    if (busy) return
    setBusy('sending')
    setProblem(undefined)
    setSent(false)
    try {
      await sendCode(user_sid)
      setCode('')
      setSent(true)
      setBusy(undefined)
      box.current?.querySelector('input')?.focus()
    } catch (e) {
      refuse(statusOf(e) === 400 ? REGISTRATION_EXPIRED : messageOf(e))
    }
  }
  function refuse(message: string) {
    setBusy(undefined)
    setSent(false)
    setProblem(message)
    box.current?.querySelector('input')?.select()
  }

  return (
    <Card
      title={t('Verify your email')}
      intro={rich('Please enter the code we just sent to your email: {strong}', {
        strong: <strong>{email}</strong>,
      })}
    >
      <form ref={box} className="code-field" onSubmit={submit} noValidate>
        {sent && (
          <Notice tone="ok">
            {t('Another code is on its way. The previous code no longer works.')}
          </Notice>
        )}
        <TextField
          label={t('Verification code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          required
          mono
          value={code}
          onChange={(text) => setCode(digitsOf(text))}
          error={problem}
        />
        <Button type="submit" look="primary" busy={busy === 'checking'}>
          {busy === 'checking' ? t('Checking…') : t('Continue')}
        </Button>
        {mailsAgain && (
          <Button look="quiet" busy={busy === 'sending'} onClick={() => void again()}>
            {busy === 'sending' ? t('Sending…') : t('Send another code')}
          </Button>
        )}
      </form>
      <p className="public-foot">
        <Link {...linkTo('/register/email')}>{t('Go back')}</Link>
      </p>
    </Card>
  )
}
