import { type Call, trunkText } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '../../lib/api'
import { providers } from '../../lib/current-provider'
import { phoneNumbers, voipCarriers } from '../../lib/endpoints'
import { linkTo } from '../../lib/link-to'
import { thingHref } from '../../lib/thing-href'
import { Sid } from '../../ui/sid'

const FEW = { page: 1, page_size: 25 } as const

/** The carrier of a record, which has only its name: a link if just one carrier of that name may be meant. */
export function CarrierLink({ call, trunk }: { call: Call; trunk: string }) {
  const { service_provider_sid, account_sid } = call
  const { data } = useQuery({
    ...query(voipCarriers.ofServiceProvider, {
      params: { service_provider_sid: service_provider_sid ?? '' },
      query: { ...FEW, filter: trunk },
    }),
    enabled: service_provider_sid !== null,
    meta: { background: true },
  })
  const named = (data?.data ?? []).filter(
    (c) => c.name === trunk && (!c.account_sid || c.account_sid === account_sid),
  )
  const [only] = named
  if (named.length !== 1 || !only) return trunkText(trunk)
  return <Link {...linkTo(thingHref('voip_carrier', only.voip_carrier_sid))}>{trunk}</Link>
}

/** A service provider has no page of its own. */
export function ProviderName({ service_provider_sid }: { service_provider_sid: string }) {
  const { data } = useQuery(providers())
  const name = data?.data.find((p) => p.service_provider_sid === service_provider_sid)?.name
  return (
    <>
      {name} <Sid sid={service_provider_sid} />
    </>
  )
}

/** The called number, a link if it is one of ours. */
export function OwnNumber({ call, number }: { call: Call; number: string }) {
  const { service_provider_sid, direction } = call
  const digits = number.replace(/^\+/, '')
  const { data } = useQuery({
    ...query(phoneNumbers.list, {
      query: {
        ...FEW,
        filter: digits,
        ...(service_provider_sid && { service_provider_sid }),
      },
    }),
    enabled: direction === 'inbound' && /^\d{3,}$/.test(digits),
    meta: { background: true },
  })
  const own = data?.data.find((n) => n.number === digits)
  const text = <code>{number}</code>
  if (!own) return text
  return <Link {...linkTo(thingHref('phone_number', own.phone_number_sid))}>{text}</Link>
}
