import { type OwnSecondFactor, type Proof, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../ui/button'
import { DialogFoot } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { PasswordField } from '../../ui/text-field'
import { useCapabilities } from '../use-capabilities'
import { CodeField } from './code-field'
import { passkeyProblem, passkeysWork, provePasskey } from './passkey-calls'
import { rememberedPassword } from './remembered-password'
import './proof-form.css'

type Way = 'password' | 'code' | 'passkey' | 'login'

/**
 * Asks for a proof that it is the user who asks: the password, a code or a passkey. Then runs the change, whose error it
 * shows.
 */
export function ProofForm({
  own,
  children,
  confirm,
  look = 'primary',
  ready = true,
  run,
  onCancel,
}: {
  own: OwnSecondFactor
  /** Content above the proof, with further fields. */
  children?: ReactNode
  confirm: string
  look?: 'primary' | 'danger'
  /** False while a further field is empty. */
  ready?: boolean
  run: (proof: Proof) => Promise<unknown>
  onCancel?: (() => void) | undefined
}) {
  const host = useCapabilities()?.passkey_host
  const ways: Way[] = [
    ...(own.has_password ? (['password'] as const) : []),
    ...(own.totp_created_at ? (['code'] as const) : []),
    ...(own.passkeys.length > 0 && passkeysWork(host) ? (['passkey'] as const) : []),
  ]
  const [way, setWay] = useState<Way>(ways[0] ?? 'login')
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const known = own.has_password ? rememberedPassword() : undefined
  const change = useMutation({
    mutationFn: async () => {
      if (known) return run({ password: known })
      if (way === 'login') return run({})
      return run(way === 'passkey' ? { passkey: await provePasskey() } : { [way]: text })
    },
  })
  const missing = !known && (way === 'password' || way === 'code') && !text.trim()
  const submit = (e: FormEvent) => {
    e.preventDefault()
    setTried(true)
    if (ready && !missing && !change.isPending) change.mutate()
  }
  const problem = change.error ? passkeyProblem(change.error) : undefined
  const switchTo = (next: Way) => {
    setWay(next)
    setText('')
    setTried(false)
    change.reset()
  }
  return (
    <form onSubmit={submit} noValidate>
      {children}
      {!known && way === 'password' && (
        <PasswordField
          label={t('Your password')}
          autoComplete="current-password"
          value={text}
          onChange={setText}
          error={tried && missing ? t('Enter your password') : problem}
        />
      )}
      {!known && way === 'code' && (
        <CodeField
          value={text}
          onChange={setText}
          error={tried && missing ? t('Enter the code') : problem}
        />
      )}
      {(known || way === 'passkey' || way === 'login') && problem && (
        <Notice tone="bad">{problem}</Notice>
      )}
      {!known && ways.length > 1 && (
        <div className="proof-ways">
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <Button key={other} look="quiet" size="small" onClick={() => switchTo(other)}>
                {
                  {
                    password: t('Use your password'),
                    code: t('Use a code from your app'),
                    passkey: t('Use a passkey'),
                    login: '',
                  }[other]
                }
              </Button>
            ))}
        </div>
      )}
      <DialogFoot>
        {onCancel && <Button onClick={onCancel}>{t('Cancel')}</Button>}
        <Button type="submit" look={look} busy={change.isPending}>
          {change.isPending ? `${confirm}…` : confirm}
        </Button>
      </DialogFoot>
    </form>
  )
}
