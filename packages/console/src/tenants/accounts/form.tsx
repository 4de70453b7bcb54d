import { type AccountView, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'
import { atLeast, mayWrite } from '../../lib/access'
import { query, queryClient, send } from '../../lib/api'
import { config } from '../../lib/config'
import { accounts } from '../../lib/endpoints'
import type { Created } from '../../lib/failure'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { EditHead } from '../../lib/thing-head'
import { useCurrentProvider } from '../../lib/use-provider'
import { Fact, Facts } from '../../ui/facts'
import { PageHeader } from '../../ui/page-header'
import { DangerZone } from '../../ui/section'
import { Sid } from '../../ui/sid'
import { Time } from '../../ui/time'
import { toastError, toastSuccess } from '../../ui/toast'
import { ApiKeysTable } from '../api-keys/list'
import { TtsCache } from '../tts-cache'
import { bucketFieldFor } from './bucket'
import { DeleteAccount } from './delete'
import { DeleteOwnAccount } from './delete-own'
import { AccountFields } from './fields'
import { planText } from './plan-text'
import { viewOf } from './queries'
import { loadHints, SetupHints } from './setup-hints'
import { issuesOf, toBody, valuesOf } from './values'
import { WebhookSecret } from './webhook-secret'

const LIST = '/internal/accounts'
const FORBIDDEN = t('You do not have permissions to make changes to this Account')
export const route = getRouteApi('/internal/accounts/$account_sid/edit')

/** True if the user sees hints. Users who administer many accounts do not need them. */
const hasHints = () =>
  Boolean(config.ENABLE_HOSTED_SYSTEM) && !atLeast('service_provider') && mayWrite()

export const load = ({ account_sid }: { account_sid: string }) =>
  Promise.all([
    queryClient.ensureQueryData(viewOf(account_sid)),
    hasHints() && loadHints(account_sid),
  ])

export function NewAccount() {
  const navigate = useNavigate()
  const service_provider_sid = useCurrentProvider()
  const form = useApiForm({
    endpoint: accounts.create,
    forbidden: FORBIDDEN,
    defaultValues: valuesOf(),
    check: (v) => issuesOf(v),
    fieldFor: bucketFieldFor,
    toSend: (v) => ({
      body: { ...toBody(v), sip_realm: v.sip_realm, service_provider_sid },
    }),
    onDone: ({ sid, unsaved }: Created) => {
      if (unsaved) toastError(unsaved)
      else toastSuccess(t('Account created successfully'))
      return navigate({ to: '/internal/accounts/$account_sid/edit', params: { account_sid: sid } })
    },
  })
  return (
    <>
      <PageHeader title={t('Add an account')} />
      <Form form={form} isNew cancelHref={LIST}>
        <AccountFields form={formLike(form)} />
      </Form>
    </>
  )
}

type Slots = {
  /** Shown above the form in the hosted variant. */
  Subscription: ComponentType<{ account: AccountView }>
}

export function EditAccount(slots: Slots) {
  const { account_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(account_sid))
  return <Edit key={account_sid} account={data} {...slots} />
}

export function Edit({ account, Subscription }: { account: AccountView } & Slots) {
  const navigate = useNavigate()
  const search = route.useSearch()
  const [deleting, setDeleting] = useState(false)
  const { account_sid } = account
  const isProvider = atLeast('service_provider')
  const form = useApiForm({
    endpoint: accounts.update,
    forbidden: FORBIDDEN,
    defaultValues: valuesOf(account),
    edits: { version: account.version, valuesOf: (view: AccountView) => valuesOf(view) },
    check: (v) => issuesOf(v, account.bucket_credential),
    fieldFor: bucketFieldFor,
    toSend: (v) => ({ params: { account_sid }, body: toBody(v, account.bucket_credential) }),
    onDone: () => {
      toastSuccess(t('Account updated successfully'))
      if (isProvider) return navigate({ to: LIST })
    },
  })
  return (
    <>
      <EditHead
        kind="account"
        sid={account_sid}
        name={account.name}
        owner={account}
        title={t('Edit account')}
      />
      {hasHints() && <SetupHints account_sid={account_sid} />}
      {config.ENABLE_HOSTED_SYSTEM && !isProvider && <Subscription account={account} />}
      <Form
        form={form}
        {...(isProvider && { cancelHref: LIST })}
        aside={
          <Facts>
            <Fact name={t('Account SID')}>
              <Sid sid={account_sid} />
            </Fact>
            <Fact name={t('Created')}>
              <Time at={account.created_at} none={t('Unknown')} />
            </Fact>
            {config.ENABLE_HOSTED_SYSTEM && (
              <Fact name={t('Plan')}>{planText(account.plan_type)}</Fact>
            )}
          </Facts>
        }
        more={
          <>
            <WebhookSecret account_sid={account_sid} />
            <TtsCache
              count={query(accounts.ttsCache, { params: { account_sid } })}
              clear={() => send(accounts.clearTtsCache, { params: { account_sid } })}
              question={t('Are you sure you want to clean TTS cache for this account?')}
            />
            <ApiKeysTable owner={{ account_sid }} label={t('Account API keys')} search={search} />
            {config.ENABLE_HOSTED_SYSTEM && !isProvider && mayWrite() && (
              <DeleteOwnAccount account_sid={account_sid} />
            )}
            {isProvider && mayWrite() && (
              <DangerZone title={t('Delete account')} onDelete={() => setDeleting(true)}>
                {t('Everything in the account is deleted, and its users are logged out.')}
              </DangerZone>
            )}
          </>
        }
      >
        <AccountFields form={formLike(form)} account={account} />
      </Form>
      {deleting && (
        <DeleteAccount
          account={account}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate({ to: LIST, ignoreBlocker: true })}
        />
      )}
    </>
  )
}
