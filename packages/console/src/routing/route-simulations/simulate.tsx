import { addressKind } from '@switchroom/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownAccount } from '../../lib/access'
import { send } from '../../lib/api'
import { type Endpoint, routeSimulations, type Sent } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useAccountChoices } from '../../lib/pickers'
import { useDebounced } from '../../lib/use-debounced'
import { useCurrentProvider } from '../../lib/use-provider'
import { ComboboxField } from '../../ui/combobox-field'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { Columns, Section } from '../../ui/section'
import { Tabs } from '../../ui/tabs'
import { TextField } from '../../ui/text-field'
import { RoutingFindings } from '../routing-findings'
import { Steps } from '../routing-steps'

const PAUSE = 250

/** A POST that changes nothing, so it is a query rather than a mutation. */
const simulation = <E extends Endpoint>(e: E, sent: Sent<E>) =>
  queryOptions({
    queryKey: [e.path, sent],
    queryFn: () => send(e, sent),
    placeholderData: keepPreviousData,
    meta: { inline: true },
  })

export function RouteSimulator() {
  const [account, setAccount] = useState(ownAccount() ?? '')
  const [number, setNumber] = useState('')
  return (
    <>
      <PageHeader title="Route simulator" />
      <div className="simulation">
        <Columns>
          {!ownAccount() && <Account value={account} onChange={setAccount} />}
          <TextField
            label="Called number"
            placeholder="442079460958"
            help="As dialed, with or without a leading +"
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
      placeholder="Provider (no account)"
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
  const dialed = useDebounced(number, PAUSE).trim()
  const result = useQuery(
    simulation(routeSimulations.outbound, {
      body: { ...(account_sid ? { account_sid } : { service_provider_sid }), number: dialed },
    }),
  )
  return (
    <>
      <Section title="Call">
        {result.error ? (
          <Notice tone="bad">{messageOf(result.error)}</Notice>
        ) : dialed === '' ? (
          <p className="hint">Enter a number to see which route the call takes.</p>
        ) : (
          <Steps steps={result.data?.steps ?? []} />
        )}
      </Section>
      {result.data && (
        <Section title="Findings" about="Likely mistakes in your outbound routes">
          <RoutingFindings findings={result.data.findings} />
        </Section>
      )}
    </>
  )
}

function Inbound({ account_sid, number }: Call) {
  const [typed, setTyped] = useState('')
  const dialed = useDebounced(number, PAUSE).trim()
  const source = useDebounced(typed, PAUSE).trim()
  const isAddress = addressKind(source) === 'ip'
  const result = useQuery({
    ...simulation(routeSimulations.inbound, {
      body: { source, number: dialed, ...(account_sid && { account_sid }) },
    }),
    enabled: isAddress && dialed !== '',
  })
  return (
    <Section title="Call">
      <TextField
        label="Source address"
        placeholder="203.0.113.10"
        help={
          account_sid
            ? 'Where the call comes from. It is sent to the account’s SIP realm.'
            : 'Where the call comes from. It is sent to the platform’s own address.'
        }
        error={source !== '' && !isAddress ? 'Please provide a valid IP address' : undefined}
        mono
        value={typed}
        onChange={setTyped}
      />
      {!isAddress || dialed === '' ? (
        <p className="hint">
          Enter a number and a source address to see which application answers the call.
        </p>
      ) : result.error ? (
        <Notice tone="bad">{messageOf(result.error)}</Notice>
      ) : (
        <Steps steps={result.data?.steps ?? []} />
      )}
    </Section>
  )
}
