import { type SecondFactorRequest, t } from '@switchroom/contract'
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { config } from '../lib/config'
import { isMissingScript, messageOf, secondFactorOf, statusOf } from '../lib/failure'
import {
  claims,
  dropFlash,
  mustSetUpSecondFactor,
  readFlash,
  takeReturnUrl,
  UNREACHABLE,
} from '../lib/session'
import { Unreachable } from '../lib/transport'
import { useCapabilities } from '../lib/use-capabilities'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { Notice } from '../ui/notice'
import { PasswordField, TextField } from '../ui/text-field'
import { useCapsLock } from './caps-lock'
import { savePendingChange } from './forced-change'
import { OAuthButtons, oauthWays } from './oauth-buttons'
import { SingleSignOnButton } from './single-sign-on/button'

/** Loads the code for requests while the username is being typed; it runs once the form is sent. */
const loadCalls = () => import('../lib/log-in-calls')

const SecondStep = lazy(async () => ({
  default: (await import('./second-factor/second-step')).SecondStep,
}))

const isHosted = config.ENABLE_HOSTED_SYSTEM

/** Without the library of passkeys, which loads when the button is used. */
function usePasskeysHere() {
  const host = useCapabilities()?.passkey_host
  return location.hostname === host && 'credentials' in navigator && 'PublicKeyCredential' in window
}

/** A failed log-in gives no details, except when the user is locked out for a time or must log in otherwise. */
function loginProblem(error: unknown) {
  const status = statusOf(error)
  if (error instanceof Unreachable || isMissingScript(error) || status === 500) return UNREACHABLE
  // as the server said it, in English
  const said = error instanceof Error ? error.message : ''
  if (status === 429 || /lock/i.test(said)) return messageOf(error)
  // single sign-on is enforced, which only our own server says
  if (/^Log in with /.test(said)) return messageOf(error)
  if (status && status >= 400 && status < 500) return t('Login credentials are incorrect')
  return t('Something went wrong, please try again')
}

/** `go` opens another page of the console, in place of this one. `onSent`: there is time until the server answers. */
export function LogIn({
  go,
  onSent,
}: {
  go: (href: string) => Promise<void>
  onSent?: () => void
}) {
  const [flash] = useState(readFlash)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [second, setSecond] = useState<SecondFactorRequest>()
  const form = useRef<HTMLFormElement>(null)
  const caps = useCapsLock()
  const hasPasskeys = usePasskeysHere()
  const hasSingleSignOn = !!useCapabilities()?.single_sign_on
  const stillIn = flash?.stay ? claims() : undefined
  useEffect(dropFlash, [])

  const goOn = (user_sid: string) => go(takeReturnUrl(user_sid))

  /** To the first screen, or to what has to be done before. */
  async function arrive(reply: { user_sid: string; force_change?: boolean | undefined }) {
    if (mustSetUpSecondFactor() && password)
      (await import('../lib/proof/remembered-password')).rememberPassword(reply.user_sid, password)
    if (reply.force_change) {
      savePendingChange({ user_sid: reply.user_sid, old_password: password })
      await go('/create-password')
    } else if (mustSetUpSecondFactor()) {
      await go('/set-up-second-factor')
    } else {
      await goOn(reply.user_sid)
    }
  }

  async function finish(reply: { token: string; user_sid: string; force_change: boolean }) {
    await (await loadCalls()).adoptSession(reply)
    await arrive(reply)
  }

  async function submit(e: FormEvent) {
    e.preventDefault()
    if (busy) return
    if (!username || !password) {
      setMissing(true)
      form.current?.querySelector<HTMLInputElement>('input[value=""]')?.focus()
      return
    }
    setBusy(true)
    setProblem(undefined)
    try {
      const { signIn, signInByEmail } = await loadCalls()
      const byEmail = isHosted && username.includes('@')
      const reply = (byEmail ? signInByEmail : signIn)(username.trim(), password)
      onSent?.()
      await arrive(await reply)
    } catch (error) {
      setSecond(secondFactorOf(error))
      if (secondFactorOf(error)) return setBusy(false)
      setProblem(loginProblem(error))
      setBusy(false)
      form.current?.querySelector<HTMLInputElement>('input[name=password]')?.select()
    }
  }

  async function logInByPasskey() {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    const calls = await import('../lib/proof/passkey-calls')
    try {
      await finish(await calls.logInWithPasskey())
    } catch (error) {
      setProblem(calls.passkeyProblem(error))
      setBusy(false)
    }
  }

  if (second)
    return (
      <Suspense>
        <SecondStep
          request={second}
          onDone={finish}
          onBack={(reason) => {
            setSecond(undefined)
            setPassword('')
            setProblem(reason)
          }}
        />
      </Suspense>
    )
  return (
    <Card title={t('Log in')}>
      {flash && !problem && <Notice tone={flash.good ? 'ok' : 'bad'}>{flash.text}</Notice>}
      <form ref={form} onSubmit={submit} noValidate>
        <TextField
          label={isHosted ? t('Username or email') : t('Username')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          required
          value={username}
          onChange={setUsername}
          error={
            missing && !username
              ? isHosted
                ? t('Enter your username or email')
                : t('Enter your username')
              : undefined
          }
        />
        <PasswordField
          label={t('Password')}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
          error={missing && !password ? t('Enter your password') : undefined}
          help={caps.help}
          {...caps.keys}
        />
        {problem && <Notice tone="bad">{problem}</Notice>}
        <Button type="submit" look="primary" busy={busy}>
          {busy ? t('Logging in…') : t('Log in')}
        </Button>
        {stillIn && (
          <Button onClick={() => void goOn(stillIn.user_sid)}>
            {t('Go back to where you were')}
          </Button>
        )}
      </form>
      {(oauthWays.length > 0 || hasPasskeys || hasSingleSignOn) && (
        <div className="public-ways">
          <SingleSignOnButton />
          {hasPasskeys && (
            <Button onClick={() => void logInByPasskey()}>{t('Log in with a passkey')}</Button>
          )}
          {oauthWays.length > 0 && <OAuthButtons verb="log_in" from="/sign-in" />}
        </div>
      )}
      {(config.ENABLE_FORGOT_PASSWORD || isHosted) && (
        <p className="public-foot">
          {isHosted && <a href="/register">{t('Register')}</a>}
          {config.ENABLE_FORGOT_PASSWORD && <a href="/forgot-password">{t('Forgot Password')}</a>}
        </p>
      )}
    </Card>
  )
}
