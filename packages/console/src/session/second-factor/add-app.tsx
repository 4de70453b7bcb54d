import { type OwnSecondFactor, t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { send } from '../../lib/api'
import { type Reply, secondFactor } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { CodeField } from '../../lib/proof/code-field'
import { ProofForm } from '../../lib/proof/proof-form'
import { Button } from '../../ui/button'
import { CopyBox } from '../../ui/copy-box'
import { DialogFoot } from '../../ui/dialog'
import { QrCode } from './qr-code'

type Begun = Reply<typeof secondFactor.beginTotp>

/** Adds an authenticator app: proof, QR code, first code. */
export function AddApp({
  own,
  onDone,
  onCancel,
}: {
  own: OwnSecondFactor
  /** With recovery codes if it is the first factor. */
  onDone: (recovery_codes: string[] | undefined) => void
  onCancel: () => void
}) {
  const [begun, setBegun] = useState<Begun>()
  if (begun) return <Scan begun={begun} onDone={onDone} onCancel={onCancel} />
  return (
    <ProofForm
      own={own}
      confirm={t('Continue')}
      run={async (body) => setBegun(await send(secondFactor.beginTotp, { body }))}
      onCancel={onCancel}
    >
      <p>
        {t(
          'You need an app for one-time codes on your phone, such as Google Authenticator, 1Password or Aegis.',
        )}
      </p>
    </ProofForm>
  )
}

/** The secret as apps show it, in groups of four. */
const inGroups = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ')

function Scan({
  begun: { secret, otpauth_uri },
  onDone,
  onCancel,
}: {
  begun: Begun
  onDone: (recovery_codes: string[] | undefined) => void
  onCancel: () => void
}) {
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const add = useMutation({
    mutationFn: () => send(secondFactor.addTotp, { body: { code } }),
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
  })
  const submit = (e: FormEvent) => {
    e.preventDefault()
    setTried(true)
    if (code.trim() && !add.isPending) add.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <p>{t('Scan this QR code with your app, or type the secret.')}</p>
      <QrCode text={otpauth_uri} label={t('QR code with the secret')} />
      <CopyBox label={t('Secret')} value={inGroups(secret)} secret />
      <CodeField
        value={code}
        onChange={setCode}
        help={t('The app shows a new code every 30 seconds.')}
        error={
          tried && !code.trim() ? t('Enter the code') : add.error ? messageOf(add.error) : undefined
        }
      />
      <DialogFoot>
        <Button onClick={onCancel}>{t('Cancel')}</Button>
        <Button type="submit" look="primary" busy={add.isPending}>
          {add.isPending ? t('Adding app…') : t('Add app')}
        </Button>
      </DialogFoot>
    </form>
  )
}
