import {
  type PasswordRules,
  resetPasswordProblem,
  type SecondFactorRequest,
  t,
} from '@switchroom/contract'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { messageOf, secondFactorOf } from '../lib/failure'
import { changePassword, exchangeLink, passwordRulesAs } from '../lib/log-in-calls'
import { setFlash } from '../lib/session'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { showFormErrors } from '../ui/form-shell'
import { BackToLogIn } from './back-to-log-in'
import { NewPasswordFields, type PasswordErrors, passwordErrors } from './new-password-fields'
import { SecondStep } from './second-factor/second-step'

const route = getRouteApi('/reset-password/$id')

const resetSession = (bearer: string): ResetSession => ({ bearer, rules: passwordRulesAs(bearer) })

/** The token that the link was exchanged for, and the password rules. */
type ResetSession = { bearer: string; rules: Promise<PasswordRules | undefined> }

export function ResetPassword() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [errors, setErrors] = useState<PasswordErrors>({})
  const box = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [second, setSecond] = useState<SecondFactorRequest>()
  // a link may be good for one exchange only
  const exchange = useRef<Promise<ResetSession>>(undefined)

  useEffect(() => {
    exchange.current ??= exchangeLink(id).then(({ jwt }) => resetSession(jwt))
    exchange.current.catch((error) => {
      const request = secondFactorOf(error)
      if (request) setSecond(request)
      else setErrors({ form: messageOf(error) })
    })
  }, [id])

  async function submit(e: FormEvent) {
    e.preventDefault()
    if (busy || !exchange.current) return
    const refuse = (wrong: PasswordErrors) =>
      showFormErrors(box, () => {
        setErrors(wrong)
        setBusy(false)
      })
    setErrors({})
    setBusy(true)
    try {
      // the exchange of the link may still be running
      const { bearer, rules } = await exchange.current
      const wrong = resetPasswordProblem(password, confirm, await rules)
      if (wrong) return refuse(password === confirm ? { password: wrong } : { confirm: wrong })
      await changePassword(bearer, id, password)
      setFlash({ text: t('New password was successfully set.'), good: true })
      await navigate({ to: '/' })
    } catch (error) {
      refuse(passwordErrors(error))
    }
  }

  if (second)
    return (
      <SecondStep
        request={second}
        onDone={({ token }) => {
          exchange.current = Promise.resolve(resetSession(token))
          setSecond(undefined)
        }}
        onBack={(reason) => {
          if (reason) setFlash({ text: reason, good: false })
          void navigate({ to: '/' })
        }}
      />
    )
  return (
    <Card title={t('Reset Password')}>
      <form ref={box} onSubmit={submit} noValidate>
        <NewPasswordFields
          password={password}
          onPassword={setPassword}
          confirm={confirm}
          onConfirm={setConfirm}
          errors={errors}
        />
        <Button type="submit" look="primary" busy={busy}>
          {busy ? t('Saving…') : t('Save')}
        </Button>
      </form>
      <BackToLogIn />
    </Card>
  )
}
