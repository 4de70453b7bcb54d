import { type VoipCarrierView, voipCarriers } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { query, queryClient } from '../lib/api'
import { useCurrentProvider } from '../lib/current-provider'
import type { Created } from '../lib/failure'
import { Form, useApiForm } from '../lib/form'
import { type FormLike, formLike } from '../lib/form-like'
import { useSetSearch } from '../lib/use-set-search'
import { Button } from '../ui/button'
import { Fact, Facts } from '../ui/form-shell'
import { PageHeader } from '../ui/page-header'
import { DangerZone } from '../ui/section'
import { Sid } from '../ui/sid'
import { Tabs } from '../ui/tabs'
import { Time } from '../ui/time'
import { toastBad, toastOk } from '../ui/toast'
import { DeleteVoipCarrier } from './delete'
import { Gateways } from './gateways'
import { General } from './general'
import { Inbound } from './inbound'
import { mayChange } from './may'
import { Outbound } from './outbound'
import { Predefined } from './predefined'
import { RegisterStatus } from './register-status'
import { createCarrier, updateCarrier } from './save'
import { gatewaysFor, type TrunkType } from './trunk'
import {
  blankGateway,
  type CarrierValues,
  type GatewayValues,
  issuesOf,
  toBody,
  valuesOf,
} from './values'

const LIST = '/internal/carriers'
const route = getRouteApi('/internal/carriers/$voip_carrier_sid/edit')

const viewOf = (voip_carrier_sid: string) =>
  query(voipCarriers.view, { params: { voip_carrier_sid } })
export const load = ({ voip_carrier_sid }: { voip_carrier_sid: string }) =>
  queryClient.ensureQueryData(viewOf(voip_carrier_sid))

export function NewVoipCarrier() {
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const form = useApiForm({
    endpoint: voipCarriers.create,
    defaultValues: valuesOf(),
    check: (v) => issuesOf(v),
    toSend: (v) => ({ body: toBody(v) }),
    save: (sent) => createCarrier(provider, sent),
    onDone: ({ sid, unsaved }: Created) => {
      if (!unsaved) {
        toastOk('Carrier created successfully')
        return navigate({ to: LIST })
      }
      toastBad(unsaved)
      return navigate({
        to: '/internal/carriers/$voip_carrier_sid/edit',
        params: { voip_carrier_sid: sid },
        search: { tab: 'sip' },
      })
    },
  })
  return (
    <>
      <PageHeader title="Add a carrier" />
      <Form form={form} isNew cancelHref={LIST}>
        <Predefined />
        <Parts form={formLike(form)} />
      </Form>
    </>
  )
}

export function EditVoipCarrier() {
  const { voip_carrier_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(voip_carrier_sid))
  // a save gives new gateways their sids: the form begins anew with them
  const version = data.sip_gateways.map((g) => g.sip_gateway_sid).join()
  return <Edit key={`${voip_carrier_sid} ${version}`} carrier={data} />
}

function Edit({ carrier }: { carrier: VoipCarrierView }) {
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  const { voip_carrier_sid } = carrier
  const form = useApiForm({
    endpoint: voipCarriers.update,
    defaultValues: valuesOf(carrier),
    edits: { version: carrier.version, valuesOf: (view: VoipCarrierView) => valuesOf(view) },
    check: (v) => issuesOf(v, carrier),
    toSend: (v) => ({ params: { voip_carrier_sid }, body: toBody(v) }),
    save: (sent) => updateCarrier(sent, carrier.sip_gateways),
    onDone: () => toastOk('Carrier updated successfully'),
  })
  return (
    <>
      <PageHeader title="Edit carrier" />
      <Form
        form={form}
        cancelHref={LIST}
        readOnly={!mayChange(carrier)}
        aside={
          <>
            <Facts>
              <Fact name="Carrier SID">
                <Sid sid={voip_carrier_sid} />
              </Fact>
              <Fact name="Created">
                <Time at={carrier.created_at} none="Unknown" />
              </Fact>
            </Facts>
            {carrier.requires_register === 1 && <RegisterStatus carrier={carrier} />}
          </>
        }
      >
        <Parts form={formLike(form)} stored={carrier} />
      </Form>
      {mayChange(carrier) && (
        <DangerZone
          title="Delete carrier"
          action={
            <Button look="danger" onClick={() => setDeleting(true)}>
              Delete carrier
            </Button>
          }
        >
          Its gateways go with it. Numbers and routes that use it must go first.
        </DangerZone>
      )}
      {deleting && (
        <DeleteVoipCarrier
          carrier={carrier}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate({ to: LIST, ignoreBlocker: true })}
        />
      )}
    </>
  )
}

function Parts({ form, stored }: { form: FormLike; stored?: VoipCarrierView }) {
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const setSearch = useSetSearch<{ tab?: string }>()
  const aside = useRef<GatewayValues[]>([])

  return (
    <form.Subscribe selector={(s) => (s.values as CarrierValues).sip_gateways}>
      {(rows) => {
        const changeTrunkType = (type: string) => {
          const next = gatewaysFor(type as TrunkType, rows, aside.current)
          aside.current = next.aside
          // a row nobody has filled in need not be kept beside those that are back
          const filled = next.gateways.filter((g) => g.ipv4 || next.gateways.length === 1)
          form.setFieldValue(
            'sip_gateways',
            filled.length > 0 ? filled : [blankGateway({ inbound: true })],
          )
          if (type !== 'auth') {
            form.setFieldValue('inbound_auth_username', '')
            form.setFieldValue(
              'inbound_auth_password',
              stored?.inbound_auth_password ? '' : undefined,
            )
          }
          form.setFieldValue('requires_register', type === 'reg')
        }
        const content = {
          general: <General form={form} onTrunkType={changeTrunkType} />,
          inbound: <Inbound form={form} {...(stored && { stored })} />,
          outbound: <Outbound form={form} {...(stored && { stored })} />,
          sip: <Gateways form={form} />,
        }
        return (
          <Tabs
            label="Carrier"
            value={tab ?? 'general'}
            onChange={(next) => setSearch({ tab: next === 'general' ? undefined : next })}
            tabs={[
              { id: 'general', label: 'General', content: content.general },
              { id: 'inbound', label: 'Inbound', content: content.inbound },
              { id: 'outbound', label: 'Outbound & Registration', content: content.outbound },
              { id: 'sip', label: 'SIP', content: content.sip },
            ]}
          />
        )
      }}
    </form.Subscribe>
  )
}
