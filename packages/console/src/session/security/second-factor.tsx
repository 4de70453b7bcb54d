import { type OwnSecondFactor, type Passkey, passkeys, secondFactor } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { query, queryClient, send } from '../../lib/api'
import { useCapabilities } from '../../lib/capabilities'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { toastSuccess } from '../../ui/toast'
import { AddApp } from '../second-factor/add-app'
import { AddPasskey } from '../second-factor/add-passkey'
import { passkeysWork } from '../second-factor/passkey-calls'
import { ProofForm } from '../second-factor/proof-form'
import { RecoveryCodesShown } from '../second-factor/recovery-codes'
import { RenamePasskey } from '../second-factor/rename-passkey'
import '../second-factor/second-factor.css'

export const ownFactorQuery = () => query(secondFactor.view, {})

type Open =
  | { what: 'add app' | 'remove app' | 'add passkey' | 'new codes' }
  | { what: 'rename passkey' | 'remove passkey'; passkey: Passkey }
  | { what: 'codes'; codes: string[] }

/** One's own authenticator app, passkeys and recovery codes. */
export function SecondFactorSections() {
  const { data: own } = useSuspenseQuery(ownFactorQuery())
  const host = useCapabilities()?.passkey_host
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const hasFactor = own.totp_created_at !== null || own.passkeys.length > 0

  const added = (text: string) => (codes: string[] | undefined) => {
    void queryClient.invalidateQueries()
    toastSuccess(text)
    setOpen(codes && { what: 'codes', codes })
  }
  const done = (text: string) => {
    void queryClient.invalidateQueries()
    toastSuccess(text)
    close()
  }

  return (
    <>
      <Section
        title="Authenticator app"
        about="An app on your phone shows a code that you enter after your password."
      >
        {!hasFactor && (
          <Notice tone={own.is_required ? 'warn' : 'info'}>
            {own.is_required
              ? 'A second factor is required for your log-in.'
              : 'You log in with your password alone. A second factor protects you if it is stolen.'}
          </Notice>
        )}
        <div className="factor-line">
          {own.totp_created_at ? (
            <>
              <span>
                <Status tone="ok">On</Status>{' '}
                <span className="factor-meta">
                  added <Time at={own.totp_created_at} />
                </span>
              </span>
              <Button size="small" onClick={() => setOpen({ what: 'remove app' })}>
                Remove app
              </Button>
            </>
          ) : (
            <>
              <Status tone="off">Off</Status>
              <Button size="small" onClick={() => setOpen({ what: 'add app' })}>
                Set up app
              </Button>
            </>
          )}
        </div>
      </Section>
      <Section
        title="Passkeys"
        about="Your fingerprint, face, PIN or security key, after your password or in place of it. Passkeys cannot be phished."
        action={
          passkeysWork(host) && (
            <Button size="small" onClick={() => setOpen({ what: 'add passkey' })}>
              Add passkey
            </Button>
          )
        }
      >
        <Passkeys
          own={own}
          host={host}
          onRename={(passkey) => setOpen({ what: 'rename passkey', passkey })}
          onRemove={(passkey) => setOpen({ what: 'remove passkey', passkey })}
        />
      </Section>
      {hasFactor && (
        <Section
          title="Recovery codes"
          about="Each logs you in once if you lose your app or passkey."
        >
          <div className="factor-line">
            <Status tone={own.recovery_codes_left > 2 ? 'ok' : 'warn'}>
              {own.recovery_codes_left} left
            </Status>
            <Button size="small" onClick={() => setOpen({ what: 'new codes' })}>
              Replace codes
            </Button>
          </div>
        </Section>
      )}
      {open?.what === 'add app' && (
        <Dialog open title="Set up authenticator app" onClose={close}>
          <AddApp own={own} onDone={added('Authenticator app added')} onCancel={close} />
        </Dialog>
      )}
      {open?.what === 'add passkey' && (
        <Dialog open title="Add passkey" onClose={close}>
          <AddPasskey own={own} onDone={added('Passkey added')} onCancel={close} />
        </Dialog>
      )}
      {open?.what === 'codes' && (
        <Dialog open title="Recovery codes" onClose={close}>
          <RecoveryCodesShown codes={open.codes} onDone={close} />
        </Dialog>
      )}
      {open?.what === 'remove app' && (
        <Confirm
          own={own}
          title="Remove app"
          look="danger"
          onClose={close}
          run={async (body) => {
            await send(secondFactor.removeTotp, { body })
            done('Authenticator app removed')
          }}
        >
          {isLast(own) ? LAST : 'The codes of your app are no longer accepted.'}
        </Confirm>
      )}
      {open?.what === 'rename passkey' && <RenamePasskey passkey={open.passkey} onClose={close} />}
      {open?.what === 'remove passkey' && (
        <Confirm
          own={own}
          title="Remove passkey"
          look="danger"
          onClose={close}
          run={async (body) => {
            const params = { passkey_sid: open.passkey.passkey_sid }
            await send(passkeys.remove, { params, body })
            done('Passkey removed')
          }}
        >
          {isLast(own) ? LAST : `“${open.passkey.name}” no longer logs you in.`}
        </Confirm>
      )}
      {open?.what === 'new codes' && (
        <Confirm
          own={own}
          title="Replace codes"
          look="primary"
          onClose={close}
          run={async (body) => {
            const { recovery_codes } = await send(secondFactor.newRecoveryCodes, { body })
            void queryClient.invalidateQueries()
            setOpen({ what: 'codes', codes: recovery_codes })
          }}
        >
          Your current recovery codes stop working.
        </Confirm>
      )}
    </>
  )
}

const isLast = (own: OwnSecondFactor) => own.passkeys.length + (own.totp_created_at ? 1 : 0) === 1
const LAST =
  'This is your last second factor. You will log in with your password alone, and your recovery codes stop working.'

function Confirm({
  title,
  onClose,
  children,
  ...form
}: {
  own: OwnSecondFactor
  title: string
  look: 'danger' | 'primary'
  onClose: () => void
  run: Parameters<typeof ProofForm>[0]['run']
  children: ReactNode
}) {
  return (
    <Dialog open title={title} onClose={onClose}>
      <ProofForm {...form} confirm={title} onCancel={onClose}>
        <p>{children}</p>
      </ProofForm>
    </Dialog>
  )
}

function Passkeys({
  own,
  host,
  onRename,
  onRemove,
}: {
  own: OwnSecondFactor
  host: string | null | undefined
  onRename: (passkey: Passkey) => void
  onRemove: (passkey: Passkey) => void
}) {
  return (
    <>
      {!passkeysWork(host) && (
        <p className="factor-meta">
          {host
            ? `Passkeys work at ${host} only, in a browser that supports them.`
            : 'Passkeys need a console with a host name. An administrator can set JAMBONZ_BASE_URL.'}
        </p>
      )}
      {own.passkeys.length === 0 ? (
        <p className="factor-meta">No passkeys.</p>
      ) : (
        <ul className="factor-list" aria-label="Passkeys">
          {own.passkeys.map((passkey) => (
            <li key={passkey.passkey_sid}>
              <span className="factor-name">{passkey.name}</span>
              <span className="factor-meta">
                {passkey.last_used_at ? (
                  <>
                    last used <Time at={passkey.last_used_at} />
                  </>
                ) : (
                  'never used'
                )}
              </span>
              <span className="button-row">
                <Button
                  size="small"
                  aria-label={`Rename ${passkey.name}`}
                  onClick={() => onRename(passkey)}
                >
                  Rename
                </Button>
                <Button
                  size="small"
                  aria-label={`Remove ${passkey.name}`}
                  onClick={() => onRemove(passkey)}
                >
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
