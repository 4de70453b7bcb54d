import type { ApiKeyKind } from '../tenants/key-kinds.ts'
import { t } from '../wire/text.ts'

type EventText = {
  name: string
  /** Says in a sentence when the event occurs. */
  when: string
  /** The kind that an API key limited to kinds must cover to read this event. */
  covered_by: ApiKeyKind
}

/** Events that programs can subscribe to. `EVENT_DATA` has the payload of each. */
export const EVENT_KINDS = {
  'call.ended': {
    name: t('Call ended'),
    when: t('A call record has arrived, answered or not.'),
    covered_by: 'calls',
  },
  'recording.ready': {
    name: t('Recording ready'),
    when: t('The recording of a call is stored and can be downloaded.'),
    covered_by: 'calls',
  },
  'transcript.ready': {
    name: t('Transcript ready'),
    when: t('A recording was transcribed.'),
    covered_by: 'calls',
  },
  'phone_number.changed': {
    name: t('Phone number changed'),
    when: t('A phone number was added, changed or deleted.'),
    covered_by: 'phone_numbers',
  },
  'carrier.changed': {
    name: t('Carrier changed'),
    when: t('A carrier or one of its gateways was added, changed or deleted.'),
    covered_by: 'carriers',
  },
  'route.changed': {
    name: t('Route changed'),
    when: t('Outbound call routing was added, changed or deleted.'),
    covered_by: 'routing',
  },
  'registration.lost': {
    name: t('Registration lost'),
    when: t('A carrier that the platform registers with no longer accepts the registration.'),
    covered_by: 'carriers',
  },
  'issue.opened': {
    name: t('Issue opened'),
    when: t('An issue that needs somebody is new in the inbox, or has returned.'),
    covered_by: 'alerts',
  },
  'issue.resolved': {
    name: t('Issue resolved'),
    when: t('An issue of the inbox was resolved or muted, or is over.'),
    covered_by: 'alerts',
  },
} as const satisfies Record<string, EventText>
export type EventKind = keyof typeof EVENT_KINDS
