import { type GettingStarted, type OpenReason, type Step, t } from '@switchroom/contract'

export const callHref = (call_sid: string) =>
  `/internal/recent-calls/${encodeURIComponent(call_sid)}`

type Action = { label: string; href: string }
type Open = { text: string; actions?: (Action | null)[] }

export const TITLES: Record<Step, string> = {
  platform: t('Connect the platform'),
  provider: t('Name the service provider'),
  carrier: t('Add a carrier'),
  realm: t('Choose a SIP realm'),
  client: t('Add a SIP client'),
  application: t('Add an application'),
  number: t('Route a phone number'),
  sbc: t('Connect an SBC'),
  calls: t('Receive call records'),
  traces: t('Receive traces'),
  sip: t('Receive SIP'),
  recordings: t('Receive recordings'),
  call: t('Make a call'),
}

const ADD_APPLICATION = { label: t('Add an application'), href: '/internal/applications/add' }
const UNAVAILABLE = { text: t('The store cannot be read at the moment.') }

function unansweredText(status: number | null | undefined, reason: string | null | undefined) {
  if (status && reason)
    return t('The latest call was not answered: {status} ({reason}).', { status, reason })
  if (status) return t('The latest call was not answered: {status}.', { status })
  return reason
    ? t('The latest call was not answered ({reason}).', { reason })
    : t('The latest call was not answered.')
}

/** Text on what an unfinished step is missing, with a link to add it. */
export function openText(step: Step, reason: OpenReason, found: GettingStarted): Open {
  const { carrier, number, account, latest_call: latest } = found
  const accountHref = account && `/internal/accounts/${account.account_sid}/edit`
  switch (reason) {
    case 'alone':
      return {
        text: t(
          'Do you have a jambonz platform? Switchroom currently runs on its own database. SBCs and feature servers read the platform’s MySQL.',
        ),
      }
    case 'unnamed':
      return {
        text: t('It still has the name of a new installation.'),
        actions: [{ label: t('Rename'), href: '/internal/settings?tab=provider' }],
      }
    case 'no_carrier':
      return {
        text: t('Calls to and from the telephone network go through a carrier.'),
        actions: [{ label: t('Add a carrier'), href: '/internal/carriers/add' }],
      }
    case 'no_gateway':
      return {
        text: t('{name} has no active SIP gateway.', { name: carrier?.name }),
        actions: [
          carrier && {
            label: t('Add a gateway'),
            href: `/internal/carriers/${carrier.voip_carrier_sid}/edit?tab=sip`,
          },
        ],
      }
    case 'no_realm':
      return {
        text: t('SIP clients of the account register with its realm.'),
        actions: [accountHref ? { label: t('Choose a realm'), href: accountHref } : null],
      }
    case 'no_client':
      return {
        text: t('A softphone or desk phone registers with its username and password.'),
        actions: [{ label: t('Add a SIP client'), href: '/internal/clients/add' }],
      }
    case 'no_application':
      return {
        text: t('An application decides what happens to a call.'),
        actions: [ADD_APPLICATION],
      }
    case 'not_for_clients':
      return {
        text: t('Select it as the application for calls from SIP clients.'),
        actions: [accountHref ? { label: t('Edit account'), href: accountHref } : null],
      }
    case 'no_number':
      return {
        text: t('A phone number connects the carrier to the application.'),
        actions: [{ label: t('Add a phone number'), href: '/internal/phone-numbers/add' }],
      }
    case 'unrouted':
      return {
        text: t('{number} has no application.', { number: number?.number }),
        actions: [
          number && {
            label: t('Select an application'),
            href: `/internal/phone-numbers/${number.phone_number_sid}/edit`,
          },
        ],
      }
    case 'no_sbc':
      return {
        text:
          found.doors?.database.kind === 'off'
            ? t(
                'SBCs read their configuration from the platform’s MySQL. Connect the platform first.',
              )
            : t('No SBC has registered yet. It does so when it starts.'),
      }
    case 'off':
      return { text: t('This server does not listen for them.') }
    case 'not_recording':
      return {
        text: t('No account records its calls.'),
        actions: [accountHref ? { label: t('Turn on recording'), href: accountHref } : null],
      }
    case 'no_call':
      if (step === 'call')
        return {
          text: number
            ? t('Call {number} from any phone.', { number: number.number })
            : t('No call in the last 7 days.'),
        }
      return {
        text:
          step === 'calls' ? t('None in the last 7 days.') : t('They come with the first call.'),
      }
    case 'missing':
      return { text: t('The latest calls have none.') }
    case 'unanswered':
      return {
        text: unansweredText(latest?.sip_status, latest?.termination_reason),
        actions: [
          latest?.call_sid ? { label: t('Open call'), href: callHref(latest.call_sid) } : null,
        ],
      }
    case 'unavailable':
      return UNAVAILABLE
  }
}
