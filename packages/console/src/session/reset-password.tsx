import { type PasswordRules, resetPasswordProblem } from '@switchroom/contract'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '../lib/failure'
import { setFlash } from '../lib/session'
import { changePassword, exchangeLink, passwordRulesAs } from '../lib/session-calls'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { Notice } from '../ui/notice'
import { NewPasswordFields } from './new-password-fields'

const route = getRouteApi('/reset-password/$id')

/** The token that the link was exchanged for, and the password rules. */
type Exchanged = { bearer: string; rules: Promise<PasswordRules | undefined> }

export function ResetPassword() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [exchanged, setExchanged] = useState<Exchanged>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const started = useRef(false)

  useEffect(() => {
    // a link can be exchanged only once
    if (started.current) return
    started.current = true
    exchangeLink(id).then(
      ({ jwt }) => {
        setExchanged({ bearer: jwt, rules: passwordRulesAs(jwt) })
      },
      (error) => setProblem(messageOf(error)),
    )
  }, [id])

  async function submit(e: FormEvent) {
    e.preventDefault()
    if (busy || !exchanged) return
    setBusy(true)
    const wrong = resetPasswordProblem(password, confirm, await exchanged.rules)
    setProblem(wrong)
    if (wrong) return setBusy(false)
    try {
      await changePassword(exchanged.bearer, id, password)
      setFlash({ text: 'New password was successfully set.', good: true })
      await navigate({ to: '/' })
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Card title="Reset Password">
      <form onSubmit={submit} noValidate>
        <NewPasswordFields
          password={password}
          onPassword={setPassword}
          confirm={confirm}
          onConfirm={setConfirm}
        />
        {problem && <Notice tone="bad">{problem}</Notice>}
        <Button type="submit" look="primary" busy={busy}>
          {busy ? 'Saving…' : 'Save'}
        </Button>
      </form>
      <p className="public-foot">
        <Link to="/">Back to log in</Link>
      </p>
    </Card>
  )
}
