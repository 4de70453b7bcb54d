import { t, type VoipCarrierView } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { DeleteZone } from '../../lib/delete-zone'
import { voipCarriers } from '../../lib/endpoints'
import type { Created } from '../../lib/failure'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { type FormLike, formLike } from '../../lib/form-like'
import { EditHead } from '../../lib/thing-head'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { Fact, Facts } from '../../ui/facts'
import { PageHeader } from '../../ui/page-header'
import { Sid } from '../../ui/sid'
import { Tabs } from '../../ui/tabs'
import { Time } from '../../ui/time'
import { toastError, toastSuccess } from '../../ui/toast'
import { WhatThisChanges } from '../replay/replay'
import { SipAddresses, SmppAddresses } from './addresses'
import { DeleteVoipCarrier } from './delete'
import { Gateways } from './gateways'
import { General } from './general'
import { TrunkHealth } from './health'
import { Inbound } from './inbound'
import { FORBIDDEN, mayChangeCarrier } from './may'
import { Outbound } from './outbound'
import { Predefined } from './predefined'
import { viewOf } from './queries'
import { RegisterStatus } from './register-status'
import { replayDraft } from './replay-draft'
import { createCarrier, createRequest } from './save'
import { Smpp } from './smpp'
import { changeTrunk, type Parked } from './trunk'
import { trunkTypeOf } from './trunk-types'
import { type CarrierValues, rowInForm, toBody, valuesOf } from './values'

const LIST = '/internal/carriers'
const loadCheck = () => import('./check')
export const route = getRouteApi('/internal/carriers/$voip_carrier_sid/edit')

export function NewVoipCarrier() {
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  // once, since a blank row has a random key
  const [defaultValues] = useState(() => valuesOf())
  const form = useApiForm({
    endpoint: voipCarriers.create,
    forbidden: FORBIDDEN,
    defaultValues,
    check: async (v) => (await loadCheck()).issuesOf(v),
    fieldFor: rowInForm,
    toSend: (v) => ({ body: toBody(v) }),
    save: (sent) => createCarrier(provider, sent),
    requests: (sent) => [createRequest(provider, sent)],
    onDone: ({ sid, unsaved }: Created) => {
      if (!unsaved) {
        toastSuccess(t('Carrier created successfully'))
        return navigate({ to: LIST })
      }
      toastError(unsaved)
      return navigate({
        to: '/internal/carriers/$voip_carrier_sid/edit',
        params: { voip_carrier_sid: sid },
        search: { tab: 'sip' },
      })
    },
  })
  return (
    <>
      <PageHeader title={t('Add a carrier')} />
      <Form
        form={form}
        isNew
        cancelHref={LIST}
        more={
          <form.Subscribe selector={(s) => s.values}>
            {(values) => (
              <WhatThisChanges
                draft={replayDraft(values, { service_provider_sid: provider })}
                stored={undefined}
              />
            )}
          </form.Subscribe>
        }
      >
        <Predefined />
        <CarrierTabs form={formLike(form)} />
      </Form>
    </>
  )
}

export function EditVoipCarrier() {
  const { voip_carrier_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(voip_carrier_sid))
  return <Edit key={voip_carrier_sid} carrier={data} />
}

export function Edit({ carrier }: { carrier: VoipCarrierView }) {
  const { voip_carrier_sid } = carrier
  const form = useApiForm({
    endpoint: voipCarriers.update,
    forbidden: FORBIDDEN,
    defaultValues: valuesOf(carrier),
    edits: { version: carrier.version, valuesOf: (view: VoipCarrierView) => valuesOf(view) },
    check: async (v) => (await loadCheck()).issuesOf(v, carrier),
    fieldFor: rowInForm,
    toSend: (v) => ({ params: { voip_carrier_sid }, body: toBody(v, carrier) }),
    onDone: () => toastSuccess(t('Carrier updated successfully')),
  })
  return (
    <>
      <EditHead
        kind="voip_carrier"
        sid={voip_carrier_sid}
        name={carrier.name}
        owner={carrier}
        title={t('Edit carrier')}
      />
      <Form
        form={form}
        cancelHref={LIST}
        readOnly={!mayChangeCarrier(carrier)}
        aside={
          <>
            <Facts>
              <Fact name={t('Carrier SID')}>
                <Sid sid={voip_carrier_sid} />
              </Fact>
              <Fact name={t('Created')}>
                <Time at={carrier.created_at} none={t('Unknown')} />
              </Fact>
            </Facts>
            {carrier.requires_register === 1 && <RegisterStatus carrier={carrier} />}
            <TrunkHealth carrier={carrier} />
          </>
        }
        more={
          <form.Subscribe selector={(s) => s.values}>
            {(values) => (
              <WhatThisChanges
                draft={replayDraft(values, { voip_carrier_sid })}
                stored={replayDraft(valuesOf(carrier), { voip_carrier_sid })}
              />
            )}
          </form.Subscribe>
        }
      >
        <CarrierTabs form={formLike(form)} stored={carrier} />
      </Form>
      {mayChangeCarrier(carrier) && (
        <DeleteZone
          title={t('Delete carrier')}
          next={LIST}
          dialog={(callbacks) => <DeleteVoipCarrier carrier={carrier} {...callbacks} />}
        >
          {t(
            'Its gateways are deleted too. First remove the phone numbers and routes that use it.',
          )}
        </DeleteZone>
      )}
    </>
  )
}

function CarrierTabs({
  form,
  stored,
}: {
  form: FormLike<CarrierValues>
  stored?: VoipCarrierView
}) {
  const { tab } = useSearch({ strict: false })
  const setSearch = useSetSearch<{ tab?: string }>()
  const parked = useRef<Parked>({ gateways: [], requires_register: false })
  const chosen = tab ?? 'general'

  // the form already holds the new type; `was` is the one before
  const changeTrunkType = (was: string) => (chosen: string) => {
    const type = trunkTypeOf(chosen)
    if (!type) return
    const now = {
      trunk_type: was,
      sip_gateways: form.getFieldValue('sip_gateways'),
      requires_register: form.getFieldValue('requires_register'),
    }
    const next = changeTrunk(type, now, parked.current)
    parked.current = next.parked
    form.setFieldValue('sip_gateways', next.sip_gateways)
    form.setFieldValue('requires_register', next.requires_register)
    for (const name of next.cleared) form.setFieldValue(name, '')
  }
  const of = { form, ...(stored && { stored }) }
  const tabs = [
    {
      id: 'general',
      label: t('General'),
      content: (
        <form.Subscribe selector={(s) => s.values.trunk_type}>
          {(type) => <General {...of} onTrunkType={changeTrunkType(type)} />}
        </form.Subscribe>
      ),
    },
    { id: 'inbound', label: t('Inbound'), content: <Inbound {...of} /> },
    { id: 'outbound', label: t('Outbound & Registration'), content: <Outbound {...of} /> },
    {
      id: 'sip',
      label: 'SIP',
      content: (
        <>
          <Gateways form={form} />
          <SipAddresses isOpen={chosen === 'sip'} />
        </>
      ),
    },
    {
      id: 'smpp',
      label: 'SMPP',
      content: (
        <>
          <Smpp {...of} />
          <SmppAddresses isOpen={chosen === 'smpp'} />
        </>
      ),
    },
  ]
  return (
    <Tabs
      label={t('Carrier')}
      value={chosen}
      onChange={(next) => setSearch({ tab: next === 'general' ? undefined : next })}
      tabs={tabs}
    />
  )
}
