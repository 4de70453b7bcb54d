import { type Proof, plural, t } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { query, send } from '../lib/api'
import { isSwitchroom } from '../lib/config'
import { secondFactor } from '../lib/endpoints'
import { linkTo } from '../lib/link-to'
import { LoadError } from '../lib/load-error'
import { ProofDialog } from '../lib/proof/proof-dialog'
import { Button, buttonClass } from '../ui/button'
import { Section } from '../ui/section'
import { Skeleton } from '../ui/states'
import { toastSuccess } from '../ui/toast'
import { mayManageUser } from './may-manage'

type Props = { user: { user_sid: string; name: string }; oneself: boolean }

/** Which second factors a user has; those who manage the user can remove them all. */
export const UserSecondFactor = (props: Props) => isSwitchroom() && <Shown {...props} />

function Shown({ user: { user_sid, name }, oneself }: Props) {
  const params = { user_sid }
  const factors = useQuery(query(secondFactor.ofUser, { params }))
  const [confirming, setConfirming] = useState(false)
  const reset = useMutation({
    mutationFn: (body: Proof) => send(secondFactor.reset, { params, body }),
    onSuccess: () => {
      setConfirming(false)
      toastSuccess(t('Second factor reset'))
    },
  })
  const { has_totp, passkeys = 0, is_required } = factors.data ?? {}
  const parts = [
    ...(has_totp ? [t('Authenticator app')] : []),
    ...(passkeys > 0 ? [plural(passkeys, '1 passkey|{n} passkeys')] : []),
  ]
  const none = is_required ? t('None yet. The user sets one up at the next log-in.') : t('None')
  return (
    <Section title={t('Second factor')}>
      {factors.error ? (
        <LoadError error={factors.error} retry={factors.refetch} />
      ) : (
        <p>{factors.data ? parts.join(', ') || none : <Skeleton width={220} />}</p>
      )}
      {oneself ? (
        <div>
          <Link {...linkTo('/internal/security')} className={buttonClass('plain', 'small')}>
            {t('Security settings')}
          </Link>
        </div>
      ) : (
        mayManageUser(user_sid) &&
        parts.length > 0 && (
          <div>
            <Button size="small" onClick={() => setConfirming(true)}>
              {t('Reset second factor')}
            </Button>
          </div>
        )
      )}
      {confirming && (
        <ProofDialog
          onClose={() => setConfirming(false)}
          title={t('Reset second factor')}
          confirm={t('Reset second factor')}
          look="danger"
          run={reset.mutateAsync}
        >
          {t(
            '{name}’s authenticator app, passkeys and recovery codes are removed, and {name} is logged out and told by email. Make sure that it is {name} who asks.',
            { name },
          )}
        </ProofDialog>
      )}
    </Section>
  )
}
