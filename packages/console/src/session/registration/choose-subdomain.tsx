import { t } from '@switchroom/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { queryClient, send } from '../../lib/api'
import { accounts } from '../../lib/endpoints'
import { messageOf, requestIdOf } from '../../lib/failure'
import { linkTo } from '../../lib/link-to'
import { fetchMe } from '../../lib/needs-realm'
import { homeHref } from '../../lib/session'
import { SubdomainField, useSubdomain } from '../../tenants/subdomain-field'
import { Button, buttonClass } from '../../ui/button'
import { Card } from '../../ui/card'
import { Notice } from '../../ui/notice'
import { ErrorState, Skeleton } from '../../ui/states'
import { LogOutFoot } from '../log-out-foot'

type Me = Awaited<ReturnType<typeof fetchMe>>

/** The last step of registration, also shown to users who have not finished it. */
export function ChooseSubdomain() {
  const navigate = useNavigate()
  const [mine, setMine] = useState<Me>()
  const [failure, setFailure] = useState<unknown>()
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again on retry
  useEffect(() => {
    setFailure(undefined)
    fetchMe().then((user) => {
      // a realm was chosen in another tab, or long ago
      if (!user.account_sid || user.sip_realm) return navigate({ href: homeHref(), replace: true })
      setMine(user)
    }, setFailure)
  }, [navigate, tries])

  return (
    <Card
      title={t('Choose a subdomain')}
      intro={t(
        'This will be the FQDN where your carrier will send calls, and where you can register devices to. This can be changed at any time.',
      )}
    >
      {failure ? (
        <ErrorState
          message={messageOf(failure)}
          requestId={requestIdOf(failure)}
          onRetry={() => setTries(tries + 1)}
        />
      ) : mine ? (
        <Form {...mine} />
      ) : (
        <div role="status" aria-label={t('Loading')}>
          <Skeleton height={126} />
        </div>
      )}
      <LogOutFoot />
    </Card>
  )
}

function Form({ account_sid, root_domain }: Me) {
  const navigate = useNavigate()
  const subdomain = useSubdomain(root_domain)
  const [busy, setBusy] = useState(false)

  if (!root_domain)
    return (
      <>
        <Notice tone="warn">
          {t(
            'This service has no root domain yet, so you cannot choose a subdomain. Contact the operator.',
          )}
        </Notice>
        <Link {...linkTo(homeHref())} className={buttonClass()}>
          {t('Continue without a subdomain')}
        </Link>
      </>
    )
  async function submit(e: FormEvent) {
    e.preventDefault()
    if (busy || subdomain.state !== 'available') return
    setBusy(true)
    try {
      await send(accounts.setSipRealm, { params: { account_sid, sip_realm: subdomain.realm } })
      queryClient.clear()
      await navigate({ href: homeHref(), replace: true })
    } catch (e) {
      setBusy(false)
      subdomain.refuse(messageOf(e))
    }
  }
  return (
    <form onSubmit={submit} noValidate>
      <SubdomainField subdomain={subdomain} autoFocus />
      <Button
        type="submit"
        look="primary"
        busy={busy}
        disabled={subdomain.state !== 'available' && !busy}
      >
        {busy ? t('Completing registration…') : t('Complete registration')}
      </Button>
    </form>
  )
}
