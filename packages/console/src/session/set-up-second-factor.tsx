import { t } from '@switchroom/contract'
import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient } from '../lib/api'
import { LoadError } from '../lib/load-error'
import { ownFactorQuery } from '../lib/proof/own-factor'
import { passkeysWork } from '../lib/proof/passkey-calls'
import { forgetPassword } from '../lib/proof/remembered-password'
import { claims, takeReturnUrl } from '../lib/session'
import { renew } from '../lib/session-calls'
import { useCapabilities } from '../lib/use-capabilities'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { LoadingState } from '../ui/states'
import { Toasts } from '../ui/toasts'
import { LogOutFoot } from './log-out-foot'
import { AddApp } from './second-factor/add-app'
import { AddPasskey } from './second-factor/add-passkey'
import { RecoveryCodesShown } from './second-factor/recovery-codes'
import './second-factor/second-factor.css'

/** Shown after log-in to users who must set up a second factor and have none. */
export function SetUpSecondFactor() {
  const user = claims()
  if (!user?.second_factor_due) return <Navigate to="/" replace />
  return (
    <QueryClientProvider client={queryClient}>
      <SetUp user_sid={user.user_sid} />
      <Toasts />
    </QueryClientProvider>
  )
}

function SetUp({ user_sid }: { user_sid: string }) {
  const navigate = useNavigate()
  const factor = useQuery(ownFactorQuery())
  const host = useCapabilities()?.passkey_host
  const [adding, setAdding] = useState<'app' | 'passkey'>()
  const [codes, setCodes] = useState<string[]>()
  const finish = useMutation({
    async mutationFn() {
      forgetPassword()
      // the old token still asks for a second factor
      await renew()
      await navigate({ href: takeReturnUrl(user_sid), replace: true })
    },
  })
  const added = (recovery_codes: string[] | undefined) => {
    if (recovery_codes) setCodes(recovery_codes)
    else finish.mutate()
  }
  const back = () => setAdding(undefined)

  if (finish.error)
    return (
      <Card title={t('Set up a second factor')}>
        <LoadError error={finish.error} retry={() => finish.mutate()} />
      </Card>
    )
  if (codes)
    return (
      <Card title={t('Recovery codes')}>
        <RecoveryCodesShown codes={codes} onDone={() => finish.mutate()} />
      </Card>
    )
  return (
    <Card
      title={t('Set up a second factor')}
      intro={t(
        'A second factor is required for your log-in, so that a stolen password is not enough.',
      )}
    >
      {factor.isPending && <LoadingState text={t('Loading')} />}
      {factor.error && <LoadError error={factor.error} retry={factor.refetch} />}
      {factor.data && adding === 'app' && (
        <AddApp own={factor.data} onDone={added} onCancel={back} />
      )}
      {factor.data && adding === 'passkey' && (
        <AddPasskey own={factor.data} onDone={added} onCancel={back} />
      )}
      {factor.data && !adding && (
        <div className="dialog-body">
          <Button look="primary" onClick={() => setAdding('app')}>
            {t('Set up an authenticator app')}
          </Button>
          {passkeysWork(host) && (
            <Button onClick={() => setAdding('passkey')}>{t('Add a passkey')}</Button>
          )}
        </div>
      )}
      <LogOutFoot />
    </Card>
  )
}
