import { type OwnSecondFactor, type Passkey, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownFactorQuery } from '../../lib/proof/own-factor'
import { passkeysWork } from '../../lib/proof/passkey-calls'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { Section } from '../../ui/section'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { type OpenDialog, SecondFactorDialog } from './second-factor-dialog'
import '../second-factor/second-factor.css'

/** One's own authenticator app, passkeys and recovery codes. */
export function SecondFactorSections() {
  const { data: own } = useSuspenseQuery(ownFactorQuery())
  const host = useCapabilities()?.passkey_host
  const [open, setOpen] = useState<OpenDialog>()
  const hasFactor = own.totp_created_at !== null || own.passkeys.length > 0

  return (
    <>
      <Section
        title={t('Authenticator app')}
        about={t('An app on your phone shows a code that you enter after your password.')}
      >
        {!hasFactor && (
          <Notice tone={own.is_required ? 'warn' : 'info'}>
            {own.is_required
              ? t('A second factor is required for your log-in.')
              : t(
                  'You log in with your password alone. A second factor protects you if it is stolen.',
                )}
          </Notice>
        )}
        <div className="factor-line">
          {own.totp_created_at ? (
            <>
              <span>
                <Status tone="ok">{t('On')}</Status>{' '}
                <span className="factor-meta">
                  {rich('added {time}', { time: <Time at={own.totp_created_at} /> })}
                </span>
              </span>
              <Button size="small" onClick={() => setOpen({ what: 'remove app' })}>
                {t('Remove app')}
              </Button>
            </>
          ) : (
            <>
              <Status tone="off">{t('Off')}</Status>
              <Button size="small" onClick={() => setOpen({ what: 'add app' })}>
                {t('Set up app')}
              </Button>
            </>
          )}
        </div>
      </Section>
      <Section
        title={t('Passkeys')}
        about={t(
          'Your fingerprint, face, PIN or security key, after your password or in place of it. Passkeys cannot be phished.',
        )}
        action={
          passkeysWork(host) && (
            <Button size="small" onClick={() => setOpen({ what: 'add passkey' })}>
              {t('Add passkey')}
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
          title={t('Recovery codes')}
          about={t('Each logs you in once if you lose your app or passkey.')}
        >
          <div className="factor-line">
            <Status tone={own.recovery_codes_left > 2 ? 'ok' : 'warn'}>
              {rich('{recovery_codes_left} left', { recovery_codes_left: own.recovery_codes_left })}
            </Status>
            <Button size="small" onClick={() => setOpen({ what: 'new codes' })}>
              {t('Replace codes')}
            </Button>
          </div>
        </Section>
      )}
      <SecondFactorDialog own={own} open={open} setOpen={setOpen} />
    </>
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
            ? t('Passkeys work at {host} only, in a browser that supports them.', { host })
            : t(
                'Passkeys need a console with a host name. An administrator can set JAMBONZ_BASE_URL.',
              )}
        </p>
      )}
      {own.passkeys.length === 0 ? (
        <p className="factor-meta">{t('No passkeys.')}</p>
      ) : (
        <ul className="factor-list" aria-label={t('Passkeys')}>
          {own.passkeys.map((passkey) => (
            <li key={passkey.passkey_sid}>
              <span className="factor-name">{passkey.name}</span>
              <span className="factor-meta">
                {passkey.last_used_at
                  ? rich('last used {time}', { time: <Time at={passkey.last_used_at} /> })
                  : t('never used')}
              </span>
              <span className="button-row">
                <Button
                  size="small"
                  aria-label={t('Rename {name}', { name: passkey.name })}
                  onClick={() => onRename(passkey)}
                >
                  {t('Rename')}
                </Button>
                <Button
                  size="small"
                  aria-label={t('Remove {name}', { name: passkey.name })}
                  onClick={() => onRemove(passkey)}
                >
                  {t('Remove')}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
