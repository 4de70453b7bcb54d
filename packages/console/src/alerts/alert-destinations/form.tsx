import {
  type AlertDestination,
  type AlertDestinationView,
  DESTINATION_KINDS,
  type DestinationKind,
  type DestinationType,
  destinationIssues,
  fromServer,
  MASK,
  t,
} from '@switchroom/contract'
import { useStore } from '@tanstack/react-form'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { mayWrite, ownAccount } from '../../lib/access'
import { queryClient, send } from '../../lib/api'
import { DeleteZone } from '../../lib/delete-zone'
import { alertDestinations } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { useCurrentProvider } from '../../lib/use-provider'
import { Fact, Facts } from '../../ui/facts'
import { PageHeader } from '../../ui/page-header'
import { Section } from '../../ui/section'
import { Sid } from '../../ui/sid'
import { Time } from '../../ui/time'
import { toastSuccess } from '../../ui/toast'
import { DeleteAlertDestination } from './delete'
import { ContentFields, DeliveryFields, defaultAddress, KindField } from './fields'
import { viewOf } from './queries'
import { TestDelivery } from './test'
import './destinations.css'

const LIST = '/internal/alerts/destinations'
export const route = getRouteApi('/internal/alerts/destinations/$alert_destination_sid/edit')

export const load = ({ alert_destination_sid }: { alert_destination_sid: string }) =>
  queryClient.ensureQueryData(viewOf(alert_destination_sid))

const orNull = (text: string | undefined) => text || null

/** Form values of a destination. The kind is chosen once, when it is added. */
type Values = {
  name: string
  address: string
  secret: string | undefined
  account_sid: string
  is_active: boolean
  alert_types: string[]
}
type NewValues = Values & { kind: DestinationKind }

const newValues = (): NewValues => ({
  name: '',
  kind: 'webhook',
  address: defaultAddress('webhook'),
  secret: '',
  account_sid: ownAccount() ?? '',
  is_active: true,
  alert_types: [],
})

/** The part of the body that both forms share. */
const toBody = ({ name, address, is_active, alert_types }: Values) => ({
  name,
  address: orNull(address),
  is_active,
  // the schema rejects a type that no longer exists, with an error on the field
  alert_types: alert_types as DestinationType[],
})

export function NewAlertDestination() {
  const navigate = useNavigate()
  const service_provider_sid = useCurrentProvider()
  const form = useApiForm({
    endpoint: alertDestinations.create,
    defaultValues: newValues(),
    toSend: (v) => ({
      body: {
        ...toBody(v),
        kind: v.kind,
        secret: orNull(v.secret),
        ...(v.account_sid ? { account_sid: v.account_sid } : { service_provider_sid }),
      },
    }),
    onDone: ({ sid }) => {
      toastSuccess(t('Destination created successfully'))
      // the edit page has the button to test it
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
      <PageHeader title={t('Add a destination')} />
      <Form form={form} isNew cancelHref={LIST}>
        <Section title={t('Destination')}>
          <form.TextField name="name" label={t('Name')} />
          <KindField form={fields} />
          <DeliveryFields key={kind} form={fields} kind={kind} hasSecret={false} />
        </Section>
        <ContentFields form={fields} />
      </Form>
    </>
  )
}

export function EditAlertDestination() {
  const { alert_destination_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(alert_destination_sid))
  return <Edit key={alert_destination_sid} destination={data} />
}

const valuesOf = (d: AlertDestination): Values => ({
  name: d.name,
  address: d.address ?? '',
  secret: undefined,
  account_sid: d.account_sid ?? '',
  is_active: d.is_active === 1,
  alert_types: d.alert_types,
})

export function Edit({ destination: d }: { destination: AlertDestinationView }) {
  const navigate = useNavigate()
  const { alert_destination_sid, kind } = d
  const form = useApiForm({
    endpoint: alertDestinations.update,
    defaultValues: valuesOf(d),
    edits: { version: d.version, valuesOf },
    // the kind is not sent, so its rules are not in the body's schema
    check: ({ address, secret }) =>
      destinationIssues(kind, { address, secret: secret === undefined ? d.secret : secret }),
    toSend: (v) => ({
      params: { alert_destination_sid },
      body: { ...toBody(v), secret: v.secret === undefined ? d.secret && MASK : v.secret },
    }),
    onDone: () => {
      toastSuccess(t('Destination updated successfully'))
      return navigate({ to: LIST })
    },
  })
  const fields = formLike(form)
  return (
    <>
      <PageHeader title={t('Edit destination')} />
      <Form
        form={form}
        cancelHref={LIST}
        aside={
          <Facts>
            <Fact name={t('Type')}>{DESTINATION_KINDS[kind].name}</Fact>
            <Fact name={t('Last attempt')}>
              <Time at={d.last_tried_at} none={t('Nothing sent yet')} />
            </Fact>
            {d.last_error && <Fact name={t('Last error')}>{fromServer(d.last_error)}</Fact>}
            <Fact name={t('Destination SID')}>
              <Sid sid={alert_destination_sid} />
            </Fact>
          </Facts>
        }
      >
        <Section title={t('Destination')}>
          <form.TextField name="name" label={t('Name')} />
          <DeliveryFields form={fields} kind={kind} hasSecret={d.secret !== null} />
        </Section>
        <ContentFields form={fields} isOld />
      </Form>
      {mayWrite() && (
        <>
          <TestDelivery
            about={t(
              'Sends a test alert with the saved settings, even if the destination is inactive.',
            )}
            button={t('Send test alert')}
            test={() => send(alertDestinations.test, { params: { alert_destination_sid } })}
          />
          <DeleteZone
            title={t('Delete destination')}
            next={LIST}
            dialog={(callbacks) => <DeleteAlertDestination destination={d} {...callbacks} />}
          >
            {t('It will no longer receive alerts.')}
          </DeleteZone>
        </>
      )}
    </>
  )
}
