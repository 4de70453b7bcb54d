import { type MsTeamsTenant, type MsTeamsTenantView, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { mayWrite, ownAccount } from '../../lib/access'
import { DeleteZone } from '../../lib/delete-zone'
import { msTeamsTenants } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { type FormLike, formLike } from '../../lib/form-like'
import { RequirePrerequisites } from '../../lib/needs'
import { accountIssues, NEEDS_ACCOUNT } from '../../lib/needs-account'
import { AccountField, ApplicationField } from '../../lib/picker-fields'
import { useCurrentProvider } from '../../lib/use-provider'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { SidFact } from '../../ui/sid'
import { toastSuccess } from '../../ui/toast'
import { DeleteMsTeamsTenant } from './delete'
import { viewOf } from './queries'

const LIST = '/internal/ms-teams-tenants'
export const route = getRouteApi('/internal/ms-teams-tenants/$ms_teams_tenant_sid/edit')

const valuesOf = (t?: MsTeamsTenant) => ({
  tenant_fqdn: t?.tenant_fqdn ?? '',
  account_sid: t?.account_sid ?? ownAccount() ?? '',
  application_sid: t?.application_sid ?? '',
})

type Values = ReturnType<typeof valuesOf>

export const NewMsTeamsTenant = () => (
  <>
    <PageHeader title={t('Add a Microsoft Teams Tenant')} />
    <RequirePrerequisites account={NEEDS_ACCOUNT.msTeamsTenant}>
      <Add />
    </RequirePrerequisites>
  </>
)

export function Add() {
  const navigate = useNavigate()
  const service_provider_sid = useCurrentProvider()
  const form = useApiForm({
    endpoint: msTeamsTenants.create,
    defaultValues: valuesOf(),
    check: accountIssues,
    toSend: (v) => ({ body: { ...v, service_provider_sid } }),
    onDone: ({ sid }) => {
      toastSuccess(t('Microsoft Teams Tenant created successfully'))
      return navigate({
        to: `${LIST}/$ms_teams_tenant_sid/edit`,
        params: { ms_teams_tenant_sid: sid },
      })
    },
  })
  return (
    <Form form={form} isNew cancelHref={LIST}>
      <Fields form={formLike(form)} />
    </Form>
  )
}

export function EditMsTeamsTenant() {
  const { ms_teams_tenant_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(ms_teams_tenant_sid))
  return <Edit key={ms_teams_tenant_sid} tenant={data} />
}

export function Edit({ tenant }: { tenant: MsTeamsTenantView }) {
  const { ms_teams_tenant_sid, tenant_fqdn } = tenant
  const form = useApiForm({
    endpoint: msTeamsTenants.update,
    defaultValues: valuesOf(tenant),
    edits: { version: tenant.version, valuesOf: (view: MsTeamsTenantView) => valuesOf(view) },
    check: accountIssues,
    toSend: (body) => ({ params: { ms_teams_tenant_sid }, body }),
    onDone: (_, __, undo) => toastSuccess(t('Microsoft Teams Tenant updated successfully'), undo),
  })
  return (
    <>
      <PageHeader title={t('Edit Microsoft Teams Tenant')} />
      <Form
        form={form}
        cancelHref={LIST}
        aside={<SidFact name={t('Tenant SID')} sid={ms_teams_tenant_sid} />}
      >
        <Fields form={formLike(form)} />
      </Form>
      {mayWrite() && (
        <DeleteZone
          title={t('Delete Microsoft Teams tenant')}
          next={LIST}
          dialog={(callbacks) => <DeleteMsTeamsTenant tenant={tenant} {...callbacks} />}
        >
          {rich('Calls from {tenant_fqdn} will no longer be answered.', { tenant_fqdn })}
        </DeleteZone>
      )}
    </>
  )
}

function Fields({ form }: { form: FormLike<Values> }) {
  return (
    <>
      <form.TextField
        name="tenant_fqdn"
        label={t('Domain name')}
        inputMode="url"
        mono
        placeholder={t("Tenant's fully qualified domain name")}
      />
      {!ownAccount() && (
        <form.AppField name="account_sid">
          {() => (
            <AccountField
              onChange={() => form.setFieldValue('application_sid', '')}
              none={NEEDS_ACCOUNT.msTeamsTenant}
            />
          )}
        </form.AppField>
      )}
      <form.Subscribe selector={(s) => s.values.account_sid}>
        {(account_sid) => (
          <form.AppField name="application_sid">
            {() => <ApplicationField account_sid={account_sid} optional />}
          </form.AppField>
        )}
      </form.Subscribe>
    </>
  )
}
