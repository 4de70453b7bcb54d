import {
  type AlertDestination,
  type AlertDestinationView,
  alertDestinations,
  DESTINATION_KINDS,
  type DestinationKind,
  destinationIssues,
  MASK,
} from '@switchroom/contract'
import { useStore } from '@tanstack/react-form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, redirect, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import { query, queryClient } from '../../lib/api'
import { useCurrentProvider } from '../../lib/current-provider'
import { messageOf, statusOf } from '../../lib/failure'
import { Form, useApiForm } from '../../lib/form'
import { formLike } from '../../lib/form-like'
import { leaveNotice } from '../../lib/notice'
import { unset } from '../../lib/unset'
import { Button } from '../../ui/button'
import { Fact, Facts } from '../../ui/form-shell'
import { PageHeader } from '../../ui/page-header'
import { DangerZone, Section } from '../../ui/section'
import { Sid } from '../../ui/sid'
import { Time } from '../../ui/time'
import { toastOk } from '../../ui/toast'
import { DeleteAlertDestination } from './delete'
import { KindField, usualAddress, WhatFields, WhereFields } from './fields'
import { TestDestination } from './test'
import './destinations.css'

const LIST = '/internal/alerts/destinations'
const route = getRouteApi('/internal/alerts/destinations/$alert_destination_sid/edit')

const viewOf = (alert_destination_sid: string) =>
  query(alertDestinations.view, { params: { alert_destination_sid } })

export const load = ({ alert_destination_sid }: { alert_destination_sid: string }) =>
  queryClient.ensureQueryData(viewOf(alert_destination_sid)).catch((error: unknown) => {
    if (statusOf(error) === undefined) throw error
    leaveNotice(messageOf(error))
    throw redirect({ to: LIST, replace: true })
  })

const orNull = (text: string | undefined) => text || null

export function NewAlertDestination() {
  const navigate = useNavigate()
  const service_provider_sid = useCurrentProvider()
  const form = useApiForm({
    endpoint: alertDestinations.create,
    defaultValues: {
      name: '',
      kind: 'webhook' as DestinationKind,
      address: usualAddress('webhook'),
      secret: '' as string | undefined,
      account_sid: ownAccount() ?? '',
      is_active: true,
      alert_types: [] as string[],
    },
    toSend: ({ address, secret, account_sid, alert_types, ...rest }) => ({
      body: {
        ...rest,
        address: orNull(address),
        secret: orNull(secret),
        alert_types: alert_types as never[],
        ...(account_sid ? { account_sid } : { service_provider_sid }),
      },
    }),
    onDone: ({ sid }) => {
      toastOk('Destination created successfully')
      // where it can be tested
      return navigate({
        to: '/internal/alerts/destinations/$alert_destination_sid/edit',
        params: { alert_destination_sid: sid },
      })
    },
  })
  const kind = useStore(form.store, (s) => s.values.kind)
  const fields = formLike(form)
  return (
    <>
      <PageHeader title="Add a destination" />
      <Form form={form} isNew cancelHref={LIST}>
        <Section title="Destination">
          <form.AppField name="name">{(f) => <f.TextField label="Name" />}</form.AppField>
          <KindField form={fields} />
          <WhereFields key={kind} form={fields} kind={kind} hasSecret={false} />
        </Section>
        <WhatFields form={fields} />
      </Form>
    </>
  )
}

export function EditAlertDestination() {
  const { alert_destination_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(alert_destination_sid))
  return <Edit key={alert_destination_sid} destination={data} />
}

const valuesOf = (d: AlertDestination) => ({
  name: d.name,
  address: d.address ?? '',
  secret: unset<string>(),
  account_sid: d.account_sid ?? '',
  is_active: d.is_active === 1,
  alert_types: d.alert_types,
})

function Edit({ destination: d }: { destination: AlertDestinationView }) {
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  const { alert_destination_sid, kind } = d
  const form = useApiForm({
    endpoint: alertDestinations.update,
    defaultValues: valuesOf(d),
    edits: { version: d.version, valuesOf },
    // the kind is not sent, so its rules are not in the body's schema
    check: ({ address, secret }) =>
      destinationIssues(kind, { address, secret: secret === undefined ? d.secret : secret }),
    toSend: ({ account_sid: _, address, secret, alert_types, ...rest }) => ({
      params: { alert_destination_sid },
      body: {
        ...rest,
        address: orNull(address),
        secret: secret === undefined ? d.secret && MASK : secret,
        alert_types: alert_types as never[],
      },
    }),
    onDone: () => {
      toastOk('Destination updated successfully')
      return navigate({ to: LIST })
    },
  })
  const fields = formLike(form)
  return (
    <>
      <PageHeader title="Edit destination" />
      <Form
        form={form}
        cancelHref={LIST}
        aside={
          <Facts>
            <Fact name="Type">{DESTINATION_KINDS[kind].name}</Fact>
            <Fact name="Last attempt">
              <Time at={d.last_tried_at} none="Nothing sent yet" />
            </Fact>
            {d.last_error && <Fact name="Last error">{d.last_error}</Fact>}
            <Fact name="Destination SID">
              <Sid sid={alert_destination_sid} />
            </Fact>
          </Facts>
        }
      >
        <Section title="Destination">
          <form.AppField name="name">{(f) => <f.TextField label="Name" />}</form.AppField>
          <WhereFields form={fields} kind={kind} hasSecret={d.secret !== null} />
        </Section>
        <WhatFields form={fields} isOld />
      </Form>
      {mayWrite() && (
        <>
          <TestDestination alert_destination_sid={alert_destination_sid} />
          <DangerZone
            title="Delete destination"
            action={
              <Button look="danger" onClick={() => setDeleting(true)}>
                Delete destination
              </Button>
            }
          >
            It will no longer receive alerts.
          </DangerZone>
        </>
      )}
      {deleting && (
        <DeleteAlertDestination
          destination={d}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate({ to: LIST, ignoreBlocker: true })}
        />
      )}
    </>
  )
}
