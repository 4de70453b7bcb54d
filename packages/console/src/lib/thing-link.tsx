import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query } from './api'
import { accounts, applications, voipCarriers } from './endpoints'
import { PlainLink } from './plain-link'
import { type ThingKind, thingHref } from './thing-href'

type Thing = { kind: ThingKind; sid: string }

/** The link to a thing whose name is known. */
export const ThingLink = ({ kind, sid, name }: Thing & { name: string }) => (
  <PlainLink href={thingHref(kind, sid)}>{name || t('Unnamed')}</PlainLink>
)

/** The same in a list, where there may be no thing, or no name of it. No component: a list has hundreds of cells. */
export const thingCell = (
  kind: ThingKind,
  sid: string | null | undefined,
  name: string | null | undefined,
  none = t('None'),
): ReactNode =>
  sid ? (
    <PlainLink href={thingHref(kind, sid)} className="clamped" title={name ?? undefined}>
      {(name ?? sid) || t('Unnamed')}
    </PlainLink>
  ) : (
    <span className="none">{none}</span>
  )

/** The same while its name is asked for: until then a part of the sid. */
const LateLink = ({ name, ...thing }: Thing & { name: string | undefined }) => (
  <ThingLink {...thing} name={name ?? `${thing.sid.slice(0, 8)}…`} />
)

// a name that cannot be had is no failure of the page
const BACKGROUND = { meta: { background: true as const } }

/** The link to an account of which only the sid is known. */
export function AccountLink({ account_sid }: { account_sid: string }) {
  const { data } = useQuery({
    ...query(accounts.view, { params: { account_sid } }),
    ...BACKGROUND,
  })
  return <LateLink kind="account" sid={account_sid} name={data?.name} />
}

export function ApplicationLink({ application_sid }: { application_sid: string }) {
  const { data } = useQuery({
    ...query(applications.view, { params: { application_sid } }),
    ...BACKGROUND,
  })
  return <LateLink kind="application" sid={application_sid} name={data?.name} />
}

export function CarrierLink({ voip_carrier_sid }: { voip_carrier_sid: string }) {
  const { data } = useQuery({
    ...query(voipCarriers.view, { params: { voip_carrier_sid } }),
    ...BACKGROUND,
  })
  return <LateLink kind="voip_carrier" sid={voip_carrier_sid} name={data?.name} />
}
