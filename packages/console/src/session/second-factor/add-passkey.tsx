import { type OwnSecondFactor, t } from '@switchroom/contract'
import { useState } from 'react'
import { send } from '../../lib/api'
import { passkeys } from '../../lib/endpoints'
import { createPasskey } from '../../lib/proof/passkey-calls'
import { ProofForm } from '../../lib/proof/proof-form'
import { TextField } from '../../ui/text-field'

/** Adds a passkey: name and proof, then the browser's own dialog. */
export function AddPasskey({
  own,
  onDone,
  onCancel,
}: {
  own: OwnSecondFactor
  /** With recovery codes if it is the first factor. */
  onDone: (recovery_codes: string[] | undefined) => void
  onCancel: () => void
}) {
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const isMissing = !name.trim()
  return (
    <div onSubmitCapture={() => setTried(true)}>
      <ProofForm
        own={own}
        confirm={t('Add passkey')}
        ready={!isMissing}
        run={async (proof) => {
          const credential = await createPasskey(await send(passkeys.beginAdd, { body: proof }))
          const added = await send(passkeys.add, { body: { name, credential } })
          onDone(added.recovery_codes)
        }}
        onCancel={onCancel}
      >
        <p>{t('Your browser asks for your fingerprint, face, PIN or security key.')}</p>
        <TextField
          label={t('Name')}
          name="passkey_name"
          placeholder={t('Work laptop')}
          maxLength={64}
          autoFocus
          value={name}
          onChange={setName}
          error={tried && isMissing ? t('Enter a name') : undefined}
          help={t('To recognize it among your passkeys.')}
        />
      </ProofForm>
    </div>
  )
}
