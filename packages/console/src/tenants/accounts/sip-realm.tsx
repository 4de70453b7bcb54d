import { t } from '@switchroom/contract'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { mayWrite } from '../../lib/access'
import { queryClient, send } from '../../lib/api'
import { providers } from '../../lib/current-provider'
import { accounts } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { accountLink } from '../../lib/link-to'
import { Button } from '../../ui/button'
import { Fact, Facts } from '../../ui/facts'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { toastSuccess } from '../../ui/toast'
import { SubdomainField, useSubdomain } from '../subdomain-field'
import { viewOf } from './queries'
import './sip-realm.css'

const route = getRouteApi('/internal/accounts/$account_sid/sip-realm/edit')

export const load = ({ account_sid }: { account_sid: string }) =>
  Promise.all([
    queryClient.ensureQueryData(viewOf(account_sid)),
    queryClient.ensureQueryData(providers()),
  ])

/** In the hosted variant the realm is a subdomain of the provider's root domain, with its own page. */
export function EditSipRealm() {
  const { account_sid } = route.useParams()
  // the account page's own query, so that it shows the new realm afterwards
  const { data } = useSuspenseQuery(viewOf(account_sid))
  const { data: all } = useSuspenseQuery(providers())
  const provider = all.data.find((p) => p.service_provider_sid === data.service_provider_sid)
  const root_domain = provider?.root_domain
  return (
    <div className="sip-realm">
      <PageHeader title={t('Edit Sip Realm')} />
      <p>
        {t(
          'This is the domain name where your carrier will send calls, and where you can register devices to.',
        )}
      </p>
      <Facts>
        <Fact name={t('Current SIP realm')}>
          <span className="mono">{data.sip_realm ?? t('None')}</span>
        </Fact>
      </Facts>
      {!mayWrite() ? null : root_domain ? (
        <ChangeRealm account_sid={account_sid} root={root_domain} />
      ) : (
        <Notice tone="warn">
          {t('The service provider has no root domain yet, so you cannot choose a subdomain.')}
        </Notice>
      )}
    </div>
  )
}

function ChangeRealm({ account_sid, root }: { account_sid: string; root: string }) {
  const navigate = useNavigate()
  const subdomain = useSubdomain(root)
  const back = accountLink(account_sid)
  const change = useMutation({
    mutationFn: (sip_realm: string) =>
      send(accounts.setSipRealm, { params: { account_sid, sip_realm } }),
    onSuccess: () => {
      toastSuccess(t('SIP realm changed'))
      return navigate(back)
    },
    onError: (e) => subdomain.refuse(messageOf(e)),
  })
  const free = subdomain.state === 'available'
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (free && !change.isPending) change.mutate(subdomain.realm)
      }}
    >
      <SubdomainField subdomain={subdomain} />
      <div className="sip-realm-actions">
        <Link {...back} className="button button-quiet">
          {t('Cancel')}
        </Link>
        <Button
          type="submit"
          look="primary"
          busy={change.isPending}
          disabled={!free && !change.isPending}
        >
          {change.isPending ? t('Changing SIP realm…') : t('Change Sip Realm')}
        </Button>
      </div>
    </form>
  )
}
