import { addressKind, type Endpoint, routeSimulations, type Sent } from '@switchroom/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownAccount } from '../lib/access'
import { send } from '../lib/api'
import { useCurrentProvider } from '../lib/current-provider'
import { messageOf } from '../lib/failure'
import { useAccountChoices } from '../lib/pickers'
import { RoutingFindings } from '../lib/routing-findings'
import { Steps } from '../lib/routing-steps'
import { useSettled } from '../lib/use-settled'
import { ComboboxField } from '../ui/combobox'
import { Notice } from '../ui/notice'
import { PageHeader } from '../ui/page-header'
import { Columns, Section } from '../ui/section'
import { Tabs } from '../ui/tabs'
import { TextField } from '../ui/text-field'

const PAUSE = 250

/** A simulation changes nothing, so it is asked for like anything that is read. */
const simulation = <E extends Endpoint>(e: E, sent: Sent<E>) =>
  queryOptions({
    queryKey: [e.path, sent],
    queryFn: () => send(e, sent),
    placeholderData: keepPreviousData,
    meta: { asTyped: true },
  })

export function RouteSimulator() {
  const [account, setAccount] = useState(ownAccount() ?? '')
  const [number, setNumber] = useState('')
  return (
    <>
      <PageHeader title="What happens to a call" />
      <div className="simulation">
        <Columns>
          {!ownAccount() && <Account value={account} onChange={setAccount} />}
          <TextField
            label="Called number"
            placeholder="442079460958"
            help="As it is dialled, with or without a plus"
            mono
            maxLength={64}
            inputMode="tel"
            value={number}
            onChange={setNumber}
          />
        </Columns>
        <Tabs
          label="Direction"
          tabs={[
            {
              id: 'outbound',
              label: 'Outbound',
              content: <Outbound account_sid={account} number={number} />,
            },
            {
              id: 'inbound',
              label: 'Inbound',
              content: <Inbound account_sid={account} number={number} />,
            },
          ]}
        />
      </div>
    </>
  )
}

function Account({ value, onChange }: { value: string; onChange: (sid: string) => void }) {
  const [opened, setOpened] = useState(false)
  const { nothing, ...choices } = useAccountChoices(value, opened)
  return (
    <ComboboxField
      label="Account"
      placeholder="No account: the provider itself"
      optional
      value={value}
      onChange={onChange}
      onOpen={() => setOpened(true)}
      {...choices}
      none={nothing ? 'There are no accounts' : undefined}
    />
  )
}

type Call = { account_sid: string; number: string }

function Outbound({ account_sid, number }: Call) {
  const service_provider_sid = useCurrentProvider()
  const dialled = useSettled(number, PAUSE).trim()
  const found = useQuery(
    simulation(routeSimulations.outbound, {
      body: { ...(account_sid ? { account_sid } : { service_provider_sid }), number: dialled },
    }),
  )
  return (
    <>
      <Section title="Call">
        {found.error ? (
          <Notice tone="bad">{messageOf(found.error)}</Notice>
        ) : dialled === '' ? (
          <p className="hint">Enter a number to see which route its call takes.</p>
        ) : (
          <Steps steps={found.data?.steps ?? []} />
        )}
      </Section>
      {found.data && (
        <Section title="Findings" about="What in the outbound call routes is hardly meant.">
          <RoutingFindings findings={found.data.findings} />
        </Section>
      )}
    </>
  )
}

function Inbound({ account_sid, number }: Call) {
  const [typed, setTyped] = useState('')
  const dialled = useSettled(number, PAUSE).trim()
  const source = useSettled(typed, PAUSE).trim()
  const isAddress = addressKind(source) === 'ip'
  const found = useQuery({
    ...simulation(routeSimulations.inbound, {
      body: { source, number: dialled, ...(account_sid && { account_sid }) },
    }),
    enabled: isAddress && dialled !== '',
  })
  return (
    <Section title="Call">
      <TextField
        label="Source address"
        placeholder="203.0.113.10"
        help={
          account_sid
            ? 'Where the call comes from, to the SIP realm of the account'
            : 'Where the call comes from, to the address of the platform'
        }
        error={source !== '' && !isAddress ? 'Please provide a valid IP address' : undefined}
        mono
        value={typed}
        onChange={setTyped}
      />
      {!isAddress || dialled === '' ? (
        <p className="hint">Enter a number and an address to see who answers the call.</p>
      ) : found.error ? (
        <Notice tone="bad">{messageOf(found.error)}</Notice>
      ) : (
        <Steps steps={found.data?.steps ?? []} />
      )}
    </Section>
  )
}
