import { type EventSubscription, type EventSubscriptionView, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import { queryClient } from '../../lib/api'
import { DeleteZone } from '../../lib/delete-zone'
import { eventSubscriptions } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { type FormLike, formLike } from '../../lib/form-like'
import { AccountField } from '../../lib/picker-fields'
import { useCurrentProvider } from '../../lib/use-provider'
import { PageHeader } from '../../ui/page-header'
import { Section } from '../../ui/section'
import { toastSuccess } from '../../ui/toast'
import { TokenDialog } from '../../ui/token-dialog'
import { TypesField } from '../alert-destinations/types-field'
import { DeleteEventWebhook } from './delete'
import { hrefOf, LIST, viewOf } from './queries'
import { EVENT_TYPES } from './types-text'

export const route = getRouteApi('/internal/alerts/webhooks/$event_subscription_sid/edit')

export const load = ({ event_subscription_sid }: { event_subscription_sid: string }) =>
  queryClient.ensureQueryData(viewOf(event_subscription_sid))

const valuesOf = (w?: EventSubscription) => ({
  name: w?.name ?? '',
  url: w?.url ?? '',
  account_sid: (w ? w.account_sid : ownAccount()) ?? '',
  is_active: w ? w.is_active === 1 : true,
  types: w?.types ?? [],
})
type Values = ReturnType<typeof valuesOf>
type Types = (typeof EVENT_TYPES)[number]['type'][]

/** The part of the body that both forms share. */
const toBody = ({ name, url, is_active, types }: Values) => ({
  name,
  url,
  is_active,
  // the schema rejects a type that no longer exists, with an error on the field
  types: types as Types,
})

export function NewEventWebhook() {
  const navigate = useNavigate()
  const service_provider_sid = useCurrentProvider()
  const [made, setMade] = useState<{ sid: string; secret: string }>()
  const form = useApiForm({
    endpoint: eventSubscriptions.create,
    defaultValues: valuesOf(),
    toSend: (v) => ({
      body: {
        ...toBody(v),
        ...(v.account_sid ? { account_sid: v.account_sid } : { service_provider_sid }),
      },
    }),
    onDone: (added) => {
      toastSuccess(t('Webhook created successfully'))
      setMade(added)
    },
  })
  return (
    <>
      <PageHeader title={t('Add a webhook for events')} />
      <Form form={form} isNew cancelHref={LIST}>
        <Fields form={formLike(form)} />
      </Form>
      {made && (
        <TokenDialog
          title={t('Here is the signing secret')}
          label={t('Signing secret')}
          token={made.secret}
          onClose={() => void navigate({ href: hrefOf(made.sid), ignoreBlocker: true })}
        />
      )}
    </>
  )
}

export function EditEventWebhook() {
  const { event_subscription_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(event_subscription_sid))
  return <Edit key={event_subscription_sid} webhook={data} />
}

export function Edit({ webhook }: { webhook: EventSubscriptionView }) {
  const navigate = useNavigate()
  const { event_subscription_sid } = webhook
  const form = useApiForm({
    endpoint: eventSubscriptions.update,
    defaultValues: valuesOf(webhook),
    edits: { version: webhook.version, valuesOf },
    toSend: (v) => ({ params: { event_subscription_sid }, body: toBody(v) }),
    onDone: () => {
      toastSuccess(t('Webhook updated successfully'))
      return navigate({ href: hrefOf(event_subscription_sid) })
    },
  })
  return (
    <>
      <PageHeader title={t('Edit webhook')} />
      <Form form={form} cancelHref={hrefOf(event_subscription_sid)}>
        <Fields form={formLike(form)} isOld />
      </Form>
      {mayWrite() && (
        <DeleteZone
          title={t('Delete webhook')}
          next={LIST}
          dialog={(callbacks) => <DeleteEventWebhook webhook={webhook} {...callbacks} />}
        >
          {t('It will no longer receive events.')}
        </DeleteZone>
      )}
    </>
  )
}

function Fields({ form, isOld = false }: { form: FormLike; isOld?: boolean }) {
  return (
    <>
      <Section
        title={t('Webhook')}
        about={t('Receives each event as JSON, signed as the guide to programs says.')}
      >
        <form.TextField name="name" label={t('Name')} maxLength={64} />
        <form.TextField name="url" label={t('URL')} mono placeholder="https://example.com/events" />
      </Section>
      <Section title={t('Events')}>
        {!ownAccount() && (
          <form.AppField name="account_sid">
            {() => (
              <AccountField
                label={t('Scope')}
                optional
                placeholder={t('All accounts')}
                disabled={isOld}
              />
            )}
          </form.AppField>
        )}
        <form.Switch
          name="is_active"
          label={t('Active')}
          help={t('Inactive webhooks receive no events.')}
        />
        <form.AppField name="types">
          {() => (
            <TypesField
              label={t('Types of events')}
              allLabel={t('All events')}
              types={EVENT_TYPES}
            />
          )}
        </form.AppField>
      </Section>
    </>
  )
}
