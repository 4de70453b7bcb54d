import { type Client, type ClientView, t } from '@switchroom/contract'
import { useStore } from '@tanstack/react-form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, redirect, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import { queryClient } from '../../lib/api'
import { DeleteZone } from '../../lib/delete-zone'
import { clients } from '../../lib/endpoints'
import { messageOf, statusOf } from '../../lib/failure'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { type FormLike, formLike } from '../../lib/form-like'
import { RequirePrerequisites } from '../../lib/needs'
import { accountIssues, NEEDS_ACCOUNT } from '../../lib/needs-account'
import { setNotice } from '../../lib/notice'
import { AccountField } from '../../lib/picker-fields'
import { EditHead } from '../../lib/thing-head'
import { unset } from '../../lib/unset'
import { ReadOnlyFields } from '../../ui/field'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { SidFact } from '../../ui/sid'
import { toastSuccess } from '../../ui/toast'
import { DeleteClient } from './delete'
import { viewOf } from './queries'
import { useSipRealm } from './realm'

const LIST = '/internal/clients'
export const route = getRouteApi('/internal/clients/$client_sid/edit')

export const load = ({ client_sid }: { client_sid: string }) =>
  queryClient.ensureQueryData(viewOf(client_sid)).catch((error: unknown) => {
    if (statusOf(error) === undefined) throw error
    setNotice(messageOf(error))
    throw redirect({ to: LIST, replace: true })
  })

const flagsOf = (c?: Client) => ({
  is_active: c?.is_active !== 0,
  allow_direct_app_calling: c?.allow_direct_app_calling !== 0,
  allow_direct_queue_calling: c?.allow_direct_queue_calling !== 0,
  allow_direct_user_calling: c?.allow_direct_user_calling !== 0,
})

export const NewClient = () => (
  <>
    <PageHeader title={t('Add SIP client')} />
    <RequirePrerequisites account={NEEDS_ACCOUNT.client}>
      <Add />
    </RequirePrerequisites>
  </>
)

export function Add() {
  const navigate = useNavigate()
  const form = useApiForm({
    endpoint: clients.create,
    defaultValues: {
      account_sid: ownAccount() ?? '',
      username: '',
      password: '',
      ...flagsOf(),
    },
    // the API accepts a client without a password, which cannot register; here one is required
    check: (v) => [
      ...accountIssues(v),
      ...(v.password ? [] : [{ path: ['password'], message: t('Required') }]),
    ],
    toSend: (body) => ({ body }),
    onDone: () => {
      toastSuccess(t('Client created successfully'))
      return navigate({ to: LIST })
    },
  })
  const lacksRealm = useSipRealm(useStore(form.store, (s) => s.values.account_sid)) === null
  return (
    <Form form={form} isNew blocked={lacksRealm} cancelHref={LIST}>
      <form.TextField name="username" label={t('Username')} placeholder={t('username')} />
      <form.PasswordField name="password" label={t('Password')} autoComplete="new-password" />
      <Fields form={formLike(form)} lacksRealm={lacksRealm} />
    </Form>
  )
}

export function EditClient() {
  const { client_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(client_sid))
  return <Edit key={client_sid} client={data} />
}

const valuesOf = (client: Client) => ({
  account_sid: client.account_sid,
  username: client.username,
  password: unset<string>(),
  ...flagsOf(client),
})

export function Edit({ client }: { client: ClientView }) {
  const navigate = useNavigate()
  const { client_sid, account_sid, username } = client
  const form = useApiForm({
    endpoint: clients.update,
    defaultValues: valuesOf(client),
    edits: { version: client.version, valuesOf },
    toSend: ({ account_sid: _a, username: _u, password: _p, ...body }) => ({
      params: { client_sid },
      body,
    }),
    onDone: (_, __, undo) => {
      toastSuccess(t('Client updated successfully'), undo)
      return navigate({ to: LIST })
    },
  })
  const lacksRealm = useSipRealm(account_sid) === null
  return (
    <>
      <EditHead
        kind="client"
        sid={client_sid}
        name={username}
        owner={client}
        title={t('Edit SIP client')}
      />
      <Form
        form={form}
        blocked={lacksRealm}
        cancelHref={LIST}
        aside={<SidFact name={t('SIP client SID')} sid={client_sid} />}
      >
        <form.TextField name="username" label={t('Username')} disabled />
        <ReadOnlyFields value>
          <form.SecretField
            name="password"
            label={t('Password')}
            isSet={client.password !== null}
            help={mayWrite() && t('To change it, delete the client and add it again.')}
          />
        </ReadOnlyFields>
        <Fields form={formLike(form)} lacksRealm={lacksRealm} isOld />
      </Form>
      {mayWrite() && (
        <DeleteZone
          title={t('Delete SIP client')}
          next={LIST}
          dialog={(callbacks) => (
            <DeleteClient client={client} done={t('Client deleted successfully')} {...callbacks} />
          )}
        >
          {rich('Devices can no longer register as {username}.', { username })}
        </DeleteZone>
      )}
    </>
  )
}

function Fields({
  form,
  lacksRealm,
  isOld = false,
}: {
  form: FormLike
  lacksRealm: boolean
  isOld?: boolean
}) {
  const toggle = (name: string, label: string, help?: ReactNode) => (
    <form.Switch name={name} label={label} help={help} />
  )
  return (
    <>
      {!ownAccount() && (
        <form.AppField name="account_sid">
          {() => <AccountField label={t('Belongs to account')} disabled={isOld} />}
        </form.AppField>
      )}
      {lacksRealm && <Notice tone="warn">{t('Sip realm is not set for the account.')}</Notice>}
      {toggle('is_active', t('Active'))}
      {toggle(
        'allow_direct_app_calling',
        t('Allow direct calling to applications'),
        t(
          'Allow user to call applications without configuring an application for sip device calls.',
        ),
      )}
      {toggle(
        'allow_direct_queue_calling',
        t('Allow direct calling to queues'),
        t(
          'Allow user to take calls from queues without configuring an application for sip device calls.',
        ),
      )}
      {toggle(
        'allow_direct_user_calling',
        t('Allow direct calling to other users'),
        t(
          'Allow user to call other users without configuring an application for sip device calls.',
        ),
      )}
    </>
  )
}
