import { type Failure, type MendPlace, t } from '@switchroom/contract'
import { atLeast } from '../../lib/access'
import { editHref, thingHref } from '../../lib/thing-href'

type Target = { label: string; href: string }

const withQuery = (path: string, members: Record<string, string | null | undefined>) => {
  const given = Object.entries(members).filter((m): m is [string, string] => !!m[1])
  return `${path}?${new URLSearchParams(given)}`
}

/** The button that leads to where a failure is mended; undefined if the reader has no such place. */
export function mendLink(failure: Failure, place: MendPlace): Target | undefined {
  const { carrier, account_sid, figures, prefix } = failure
  const [sample] = figures.samples
  const id = sample?.call_sid ?? sample?.sip_callid
  const call = id
    ? { label: t('Open the latest call'), href: `/internal/recent-calls/${encodeURIComponent(id)}` }
    : undefined
  switch (place) {
    case 'carrier':
      return carrier
        ? { label: t('Open carrier'), href: editHref('voip_carrier', carrier.voip_carrier_sid) }
        : call
    case 'simulator': {
      const account = account_sid ?? (atLeast('service_provider') ? figures.accounts[0]?.sid : null)
      return {
        label: t('Simulate the route'),
        href: withQuery('/internal/route-simulator', { number: sample?.to, account_sid: account }),
      }
    }
    case 'numbers':
      return {
        label: t('Open phone numbers'),
        href: withQuery('/internal/phone-numbers', { filter: prefix?.replace('+', '') }),
      }
    case 'clients':
      return { label: t('Open SIP clients'), href: '/internal/clients' }
    case 'application': {
      const application = figures.applications.find(({ name }) => name !== null)
      return application
        ? { label: t('Open application'), href: thingHref('application', application.sid) }
        : call
    }
    case 'call':
      return call
  }
}
