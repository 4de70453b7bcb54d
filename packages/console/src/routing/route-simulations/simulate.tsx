import { addressKind, t } from '@switchroom/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ownAccount } from '../../lib/access'
import { send } from '../../lib/api'
import { type Endpoint, routeSimulations, type Sent } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { defined } from '../../lib/list-search'
import { useAccountChoices, useCarrierChoices } from '../../lib/pickers'
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

const route = getRouteApi('/internal/route-simulator')
type Search = ReturnType<typeof route.useSearch>

/** Changes the simulated call, which the address names, without a step back for each change. */
function useSetCall() {
  const navigate = useNavigate()
  return (patch: { [K in keyof Search]?: Search[K] | undefined }) =>
    void navigate({
      from: route.id,
      to: '.',
      search: (old) => defined({ ...old, ...patch }),
      replace: true,
    })
}

/** A text that is told after a pause in typing, and follows the value when that is changed from outside. */
function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const told = useRef(value)
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    clearTimeout(timer.current)
    setTyped(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    value: typed,
    onChange: (next: string) => {
      setTyped(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        told.current = next.trim()
        onChange(next.trim())
      }, PAUSE)
    },
  }
}

export function RouteSimulator() {
  const search = route.useSearch()
  const setCall = useSetCall()
  const account_sid = ownAccount() ?? search.account_sid ?? ''
  const dialed = search.number ?? ''
  const number = useTyped(dialed, (number) => setCall({ number: number || undefined }))
  return (
    <>
      <PageHeader title={t('Route simulator')} />
      <div className="simulation">
        <Columns>
          {!ownAccount() && (
            <Account
              value={account_sid}
              onChange={(sid) => setCall({ account_sid: sid || undefined })}
            />
          )}
          <TextField
            label={t('Called number')}
            placeholder="442079460958"
            help={t('As dialed, with or without a leading +')}
            mono
            maxLength={64}
            inputMode="tel"
            {...number}
          />
        </Columns>
        <Tabs
          label={t('Direction')}
          value={search.direction ?? 'outbound'}
          onChange={(id) => setCall({ direction: id === 'inbound' ? id : undefined })}
          tabs={[
            {
              id: 'outbound',
              label: t('Outbound'),
              content: <Outbound account_sid={account_sid} number={dialed} />,
            },
            {
              id: 'inbound',
              label: t('Inbound'),
              content: <Inbound account_sid={account_sid} number={dialed} />,
            },
          ]}
        />
      </div>
    </>
  )
}

function Account({ value, onChange }: { value: string; onChange: (sid: string) => void }) {
  const [opened, setOpened] = useState(false)
  const { isEmpty, ...choices } = useAccountChoices(value, opened)
  return (
    <ComboboxField
      label={t('Account')}
      placeholder={t('Provider (no account)')}
      optional
      value={value}
      onChange={onChange}
      onOpen={() => setOpened(true)}
      {...choices}
      none={isEmpty ? t('There are no accounts') : undefined}
    />
  )
}

type Call = { account_sid: string; number: string }

function Outbound({ account_sid, number }: Call) {
  const service_provider_sid = useCurrentProvider()
  const { from = '', trunk = '', carrier = '' } = route.useSearch()
  const setCall = useSetCall()
  const caller = useTyped(from, (text) => setCall({ from: text || undefined }))
  const named = useTyped(trunk, (text) => setCall({ trunk: text || undefined }))
  const { isEmpty, ...carriers } = useCarrierChoices(account_sid, { chosen: carrier })
  const result = useQuery(
    simulation(routeSimulations.outbound, {
      body: {
        ...(account_sid ? { account_sid } : { service_provider_sid }),
        number,
        ...defined({
          from: from || undefined,
          trunk: trunk || undefined,
          inbound_carrier_sid: carrier || undefined,
        }),
      },
    }),
  )
  return (
    <>
      <Columns>
        <TextField
          label={t('From')}
          help={t('The caller’s number. Its carrier is used if there is no routing table.')}
          optional
          mono
          maxLength={64}
          inputMode="tel"
          {...caller}
        />
        <ComboboxField
          label={t('Came in on')}
          help={t('The carrier of the forwarded call, used if no route matches.')}
          optional
          value={carrier}
          onChange={(sid) => setCall({ carrier: sid || undefined })}
          {...carriers}
          none={isEmpty ? t('There are no carriers') : undefined}
        />
        <TextField
          label={t('Trunk')}
          help={t('The name of the carrier that the application requests.')}
          optional
          maxLength={64}
          {...named}
        />
      </Columns>
      <Section title={t('Call')}>
        {result.error ? (
          <Notice tone="bad">{messageOf(result.error)}</Notice>
        ) : number === '' ? (
          <p className="hint">{t('Enter a number to see which route the call takes.')}</p>
        ) : (
          <Steps steps={result.data?.steps ?? []} />
        )}
      </Section>
      {result.data && (
        <Section title={t('Findings')} about={t('Likely mistakes in your outbound routes')}>
          <RoutingFindings findings={result.data.findings} />
        </Section>
      )}
    </>
  )
}

function Inbound({ account_sid, number }: Call) {
  const { source = '', username = '' } = route.useSearch()
  const setCall = useSetCall()
  const typed = useTyped(source, (text) => setCall({ source: text || undefined }))
  const user = useTyped(username, (text) => setCall({ username: text || undefined }))
  const isAddress = addressKind(source) === 'ip'
  const result = useQuery({
    ...simulation(routeSimulations.inbound, {
      body: {
        source,
        number,
        ...(account_sid && { account_sid, ...(username && { username }) }),
      },
    }),
    enabled: isAddress && number !== '',
  })
  return (
    <Section title={t('Call')}>
      <TextField
        label={t('Source address')}
        placeholder="203.0.113.10"
        help={
          account_sid
            ? t('Where the call comes from. It is sent to the account’s SIP realm.')
            : t('Where the call comes from. It is sent to the platform’s own address.')
        }
        error={source !== '' && !isAddress ? t('Please provide a valid IP address') : undefined}
        mono
        {...typed}
      />
      {account_sid && (
        <TextField
          label={t('Username')}
          help={t(
            'Username that calls to an Auth trunk authenticate with. They may come from any address.',
          )}
          optional
          maxLength={64}
          {...user}
        />
      )}
      {!isAddress || number === '' ? (
        <p className="hint">
          {t('Enter a number and a source address to see which application answers the call.')}
        </p>
      ) : result.error ? (
        <Notice tone="bad">{messageOf(result.error)}</Notice>
      ) : (
        <Steps steps={result.data?.steps ?? []} />
      )}
    </Section>
  )
}
