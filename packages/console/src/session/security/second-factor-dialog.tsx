import { type OwnSecondFactor, type Passkey, t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { queryClient, send } from '../../lib/api'
import { passkeys, secondFactor } from '../../lib/endpoints'
import { ProofForm } from '../../lib/proof/proof-form'
import { Dialog } from '../../ui/dialog'
import { toastSuccess } from '../../ui/toast'
import { AddApp } from '../second-factor/add-app'
import { AddPasskey } from '../second-factor/add-passkey'
import { RecoveryCodesShown } from '../second-factor/recovery-codes'
import { RenamePasskey } from '../second-factor/rename-passkey'

export type OpenDialog =
  | { what: 'add app' | 'remove app' | 'add passkey' | 'new codes' }
  | { what: 'rename passkey' | 'remove passkey'; passkey: Passkey }
  | { what: 'codes'; codes: string[] }

/** The dialog in which one's own second factor is changed; new recovery codes open the next one. */
export function SecondFactorDialog({
  own,
  open,
  setOpen,
}: {
  own: OwnSecondFactor
  open: OpenDialog | undefined
  setOpen: (open: OpenDialog | undefined) => void
}) {
  const close = () => setOpen(undefined)
  const added = (text: string) => (codes: string[] | undefined) => {
    void queryClient.invalidateQueries()
    toastSuccess(text)
    setOpen(codes && { what: 'codes', codes })
  }
  const done = (text: string) => added(text)(undefined)

  return (
    <>
      {open?.what === 'add app' && (
        <Dialog open title={t('Set up authenticator app')} onClose={close}>
          <AddApp own={own} onDone={added(t('Authenticator app added'))} onCancel={close} />
        </Dialog>
      )}
      {open?.what === 'add passkey' && (
        <Dialog open title={t('Add passkey')} onClose={close}>
          <AddPasskey own={own} onDone={added(t('Passkey added'))} onCancel={close} />
        </Dialog>
      )}
      {open?.what === 'codes' && (
        <Dialog open title={t('Recovery codes')} onClose={close}>
          <RecoveryCodesShown codes={open.codes} onDone={close} />
        </Dialog>
      )}
      {open?.what === 'remove app' && (
        <Removal
          own={own}
          title={t('Remove app')}
          about={t('The codes of your app are no longer accepted.')}
          onClose={close}
          run={async (body) => {
            await send(secondFactor.removeTotp, { body })
            done(t('Authenticator app removed'))
          }}
        />
      )}
      {open?.what === 'rename passkey' && <RenamePasskey passkey={open.passkey} onClose={close} />}
      {open?.what === 'remove passkey' && (
        <Removal
          own={own}
          title={t('Remove passkey')}
          about={t('“{name}” no longer logs you in.', { name: open.passkey.name })}
          onClose={close}
          run={async (body) => {
            const params = { passkey_sid: open.passkey.passkey_sid }
            await send(passkeys.remove, { params, body })
            done(t('Passkey removed'))
          }}
        />
      )}
      {open?.what === 'new codes' && (
        <Confirm
          own={own}
          title={t('Replace codes')}
          look="primary"
          onClose={close}
          run={async (body) => {
            const { recovery_codes } = await send(secondFactor.newRecoveryCodes, { body })
            void queryClient.invalidateQueries()
            setOpen({ what: 'codes', codes: recovery_codes })
          }}
        >
          {t('Your current recovery codes stop working.')}
        </Confirm>
      )}
    </>
  )
}

const isLast = (own: OwnSecondFactor) => own.passkeys.length + (own.totp_created_at ? 1 : 0) === 1
const LAST = t(
  'This is your last second factor. You will log in with your password alone, and your recovery codes stop working.',
)

type ConfirmProps = {
  own: OwnSecondFactor
  title: string
  onClose: () => void
  run: Parameters<typeof ProofForm>[0]['run']
}

const Removal = ({ about, ...props }: ConfirmProps & { about: string }) => (
  <Confirm look="danger" {...props}>
    {isLast(props.own) ? LAST : about}
  </Confirm>
)

function Confirm({
  title,
  onClose,
  children,
  ...form
}: ConfirmProps & { look: 'danger' | 'primary'; children: ReactNode }) {
  return (
    <Dialog open title={title} onClose={onClose}>
      <ProofForm {...form} confirm={title} onCancel={onClose}>
        <p>{children}</p>
      </ProofForm>
    </Dialog>
  )
}
