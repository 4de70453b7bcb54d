import { type LcrView, type RoutingFix, t } from '@switchroom/contract'
import { useStore } from '@tanstack/react-form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, redirect, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { WhatThisChanges } from '../../carriers/replay/replay'
import { atLeast, mayWrite, ownAccount, refuseViewOnly } from '../../lib/access'
import { DeleteZone } from '../../lib/delete-zone'
import { lcrs } from '../../lib/endpoints'
import type { Created } from '../../lib/failure'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { type FormLike, formLike } from '../../lib/form-like'
import { AccountField } from '../../lib/picker-fields'
import { useCarrierChoices } from '../../lib/pickers'
import { Settled } from '../../lib/settled'
import { EditHead } from '../../lib/thing-head'
import { useCurrentProvider } from '../../lib/use-provider'
import { Fact, Facts } from '../../ui/facts'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { Section } from '../../ui/section'
import { Sid } from '../../ui/sid'
import { toastError, toastSuccess } from '../../ui/toast'
import { DeleteLcr } from './delete'
import { LikelyMistakes } from './likely-mistakes'
import { nameOf } from './name'
import { ADD, ownTableHref } from './own-table'
import { viewOf } from './queries'
import { replayDraft } from './replay-draft'
import { RouteRows } from './route-rows'
import { type LcrValues, patternIssues, type RouteValues, toBody, valuesOf } from './values'

const LIST = '/internal/least-cost-routing'
export const route = getRouteApi('/internal/least-cost-routing/$lcr_sid/edit')

/** Each account and provider has one table: users who have one are sent to it. */
export async function loadNew() {
  if (atLeast('admin')) return refuseViewOnly()
  const place = await ownTableHref()
  if (place !== ADD) throw redirect({ href: place, replace: true })
  refuseViewOnly()
}

const cancelHref = () => (atLeast('admin') ? { cancelHref: LIST } : {})

export function NewLcr() {
  const navigate = useNavigate()
  const service_provider_sid = useCurrentProvider()
  // once, since a blank route has a random key
  const [defaultValues] = useState(() => valuesOf())
  const form = useApiForm({
    endpoint: lcrs.create,
    defaultValues,
    check: (v) => patternIssues(v),
    toSend: (v) => ({
      body: { ...toBody(v), account_sid: v.account_sid, service_provider_sid },
    }),
    fieldFor: (path) => (path[0] === 'service_provider_sid' ? ['account_sid'] : path),
    onDone: ({ sid, unsaved }: Created) => {
      if (unsaved) toastError(unsaved)
      else toastSuccess(t('Least cost routing successfully created'))
      return atLeast('admin') && !unsaved
        ? navigate({ to: LIST })
        : navigate({ to: `${LIST}/$lcr_sid/edit`, params: { lcr_sid: sid } })
    },
  })
  const account_sid = useStore(form.store, (s) => s.values.account_sid)
  const { isEmpty } = useCarrierChoices(account_sid, { ofAccounts: !account_sid })
  // carriers of one account cannot be used by another
  const forget = () => {
    form.setFieldValue('default_carrier', '')
    form.setFieldValue('routes', (rows: RouteValues[]) =>
      rows.map((r) => ({
        ...r,
        lcr_carrier_set_entries: r.lcr_carrier_set_entries.map((e) => ({
          ...e,
          voip_carrier_sid: '',
        })),
      })),
    )
  }
  return (
    <>
      <PageHeader title={t('Add routing table')} />
      <Form
        form={form}
        isNew
        blocked={isEmpty}
        {...cancelHref()}
        more={
          <Settled store={form.store}>
            {(values) => (
              <WhatThisChanges
                draft={replayDraft(
                  values,
                  account_sid ? { account_sid } : { service_provider_sid },
                )}
                stored={undefined}
              />
            )}
          </Settled>
        }
      >
        <Fields form={formLike(form)} account_sid={account_sid} onAccount={forget} />
      </Form>
    </>
  )
}

export function EditLcr() {
  const { lcr_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(lcr_sid))
  return <Edit key={lcr_sid} table={data} />
}

export function Edit({ table }: { table: LcrView }) {
  const { lcr_sid, account_sid, service_provider_sid } = table
  const form = useApiForm({
    endpoint: lcrs.update,
    defaultValues: valuesOf(table),
    edits: { version: table.version, valuesOf: (view: LcrView) => valuesOf(view) },
    check: (v) => patternIssues(v, table.routes),
    toSend: (v) => ({ params: { lcr_sid }, body: toBody(v) }),
    onDone: (_, __, undo) => toastSuccess(t('Least cost routing rule successfully updated'), undo),
  })
  const { isEmpty } = useCarrierChoices(account_sid ?? '', { ofAccounts: !account_sid })
  return (
    <>
      <EditHead
        kind="lcr"
        sid={lcr_sid}
        name={nameOf(table)}
        owner={table}
        title={t('Edit routing table')}
      />
      <Form
        form={form}
        blocked={isEmpty}
        {...cancelHref()}
        aside={
          <Facts>
            <Fact name={t('Routing table SID')}>
              <Sid sid={lcr_sid} />
            </Fact>
            {!account_sid && service_provider_sid && (
              <Fact name={t('Used by')}>{t('All accounts')}</Fact>
            )}
          </Facts>
        }
        more={
          <Settled store={form.store}>
            {(values) => (
              <WhatThisChanges
                draft={replayDraft(values, { lcr_sid })}
                stored={replayDraft(valuesOf(table), { lcr_sid })}
              />
            )}
          </Settled>
        }
      >
        <Fields form={formLike(form)} account_sid={account_sid ?? ''} />
      </Form>
      {mayWrite() && (atLeast('admin') || ownAccount()) && (
        <DeleteZone
          title={t('Delete routing table')}
          next={atLeast('admin') ? LIST : ADD}
          dialog={(callbacks) => (
            <DeleteLcr table={table} done={t('Deleted least cost routing')} {...callbacks} />
          )}
        >
          {t('Calls then go out through the carrier they came in on, or through any carrier.')}
        </DeleteZone>
      )}
    </>
  )
}

const applyFix = (routes: RouteValues[], at: number, fix: RoutingFix) =>
  'remove' in fix
    ? routes.filter((_, i) => i !== at)
    : routes.map((r, i) => (i === at ? { ...r, regex: fix.pattern } : r))

function Fields({
  form,
  account_sid,
  onAccount,
}: {
  form: FormLike<LcrValues>
  account_sid: string
  /** Left out if the owner cannot be changed. */
  onAccount?: () => void
}) {
  const { isEmpty } = useCarrierChoices(account_sid, { ofAccounts: !account_sid })
  return (
    <>
      <Section title={t('General')}>
        <form.TextField name="name" label={t('Name')} optional placeholder={t('name')} />
        <form.Checkbox name="is_active" label={t('Active')} />
        {atLeast('admin') && (
          <form.AppField name="account_sid">
            {() => (
              <AccountField
                label={t('Used by')}
                placeholder={t('All accounts')}
                optional
                disabled={!onAccount}
                {...(onAccount && { onChange: onAccount })}
              />
            )}
          </form.AppField>
        )}
      </Section>
      {isEmpty && (
        <Notice tone="warn">
          {account_sid
            ? t('There are no available carriers defined for this account')
            : t('There are no available carriers')}
        </Notice>
      )}
      <Section
        title={t('Route based on first match')}
        about={t(
          'Drag and drop to rearrange the order. The platform uses only the first carrier of a route.',
        )}
      >
        <RouteRows form={form} account_sid={account_sid} />
      </Section>
      <Settled store={form.store}>
        {(values) => (
          <LikelyMistakes
            values={values}
            account_sid={account_sid}
            {...(mayWrite() && {
              onFix: (at: number, fix: RoutingFix) =>
                form.setFieldValue('routes', applyFix(form.getFieldValue('routes'), at, fix)),
            })}
          />
        )}
      </Settled>
    </>
  )
}
