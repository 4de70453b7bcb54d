import { type SecondFactor, type SecondFactorRequest, t } from '@switchroom/contract'
import { type FormEvent, useState } from 'react'
import { send } from '../../lib/api'
import { type Reply, secondFactor } from '../../lib/endpoints'
import { messageOf, statusOf } from '../../lib/failure'
import { CodeField } from '../../lib/proof/code-field'
import { passkeyProblem, passkeysWork, secondStepWithPasskey } from '../../lib/proof/passkey-calls'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Notice } from '../../ui/notice'
import { TextField } from '../../ui/text-field'
import './second-factor.css'

export type LoggedIn = Reply<typeof secondFactor.logIn>

const OTHER_WAY: Record<SecondFactor, string> = {
  totp: t('Enter a code from your app'),
  passkey: t('Use a passkey'),
  recovery_code: t('Use a recovery code'),
}
const INTRO: Record<SecondFactor, string> = {
  totp: t('Enter the code from your authenticator app.'),
  passkey: t('Confirm with your passkey.'),
  recovery_code: t('Enter one of your recovery codes. Each works once.'),
}

/** The second step of a log-in, after the password. */
export function SecondStep({
  request: { ticket, methods },
  onDone,
  onBack,
}: {
  request: SecondFactorRequest
  onDone: (reply: LoggedIn) => unknown
  /** Starts again, with a reason if this log-in is over. */
  onBack: (reason?: string) => void
}) {
  const canUsePasskey = passkeysWork(useCapabilities()?.passkey_host)
  const [method, setMethod] = useState<SecondFactor>(methods[0] ?? 'totp')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  const switchTo = (next: SecondFactor) => {
    setMethod(next)
    setCode('')
    setProblem(undefined)
  }

  async function submit(e: FormEvent) {
    e.preventDefault()
    if (busy) return
    if (method !== 'passkey' && !code.trim()) return setProblem(t('Enter the code'))
    setBusy(true)
    setProblem(undefined)
    try {
      const reply =
        method === 'passkey'
          ? await secondStepWithPasskey(ticket)
          : await send(secondFactor.logIn, {
              body: { ticket, ...(method === 'totp' ? { code } : { recovery_code: code }) },
            })
      await onDone(reply)
    } catch (error) {
      setBusy(false)
      // the ticket is void, or there were too many codes
      if (statusOf(error) === 403) return onBack(messageOf(error))
      setProblem(method === 'passkey' ? passkeyProblem(error) : messageOf(error))
    }
  }

  const others = methods.filter((m) => m !== method && (m !== 'passkey' || canUsePasskey))
  return (
    <Card title={t('Second step')} intro={INTRO[method]}>
      <form onSubmit={submit} noValidate key={method}>
        {method === 'totp' && <CodeField value={code} onChange={setCode} error={problem} />}
        {method === 'recovery_code' && (
          <TextField
            label={t('Recovery code')}
            name="recovery_code"
            autoCapitalize="characters"
            maxLength={24}
            autoFocus
            mono
            value={code}
            onChange={setCode}
            error={problem}
          />
        )}
        {method === 'passkey' && !canUsePasskey && (
          <Notice tone="warn">
            {t('Passkeys do not work in this browser or at this address.')}
          </Notice>
        )}
        {method === 'passkey' && problem && <Notice tone="bad">{problem}</Notice>}
        {(method !== 'passkey' || canUsePasskey) && (
          <Button type="submit" look="primary" busy={busy} autoFocus={method === 'passkey'}>
            {busy ? t('Checking…') : method === 'passkey' ? t('Use passkey') : t('Log in')}
          </Button>
        )}
      </form>
      <div className="public-ways">
        {others.map((other) => (
          <Button key={other} onClick={() => switchTo(other)}>
            {OTHER_WAY[other]}
          </Button>
        ))}
        <Button look="quiet" onClick={() => onBack()}>
          {t('Back to log-in')}
        </Button>
      </div>
    </Card>
  )
}
