import { isTrouble, t, verdictOf } from '@switchroom/contract'
import * as carriers from '../../carriers/voip-carriers/queries.ts'
import * as phoneNumbers from '../../routing/phone-numbers/queries.ts'
import { healthOf } from '../carrier-health/queries.ts'
import { readApplications } from './applications.ts'
import { inactive, type StatusReader, uniqueNonNull } from './status-reader.ts'

/**
 * The state of a phone number: the worse of its application's and, for inbound calls, its carrier's.
 */
export const readPhoneNumbers: StatusReader = async (ctx, scope, sids, inboxes, now) => {
  const numbers = await phoneNumbers.findAll(ctx.db, scope, sids)
  const applicationSids = uniqueNonNull(numbers.map(({ application_sid }) => application_sid))
  const carrierSids = uniqueNonNull(numbers.map(({ voip_carrier_sid }) => voip_carrier_sid))
  const [applications, trunks] = await Promise.all([
    applicationSids.length > 0 ? readApplications(ctx, scope, applicationSids, inboxes, now) : [],
    carrierSids.length > 0 ? carriers.findAll(ctx.db, scope, carrierSids) : [],
  ])
  const healths = trunks.length > 0 ? await healthOf(ctx, scope, trunks, now) : []
  return numbers.map(({ phone_number_sid: sid, application_sid, voip_carrier_sid }) => {
    if (!application_sid)
      return { sid, ...inactive(t('No application answers calls to this number.')) }
    const application = applications.find((verdict) => verdict.sid === application_sid)
    const carrier = healths.find((health) => health.voip_carrier_sid === voip_carrier_sid)
    for (const part of [application, carrier])
      if (part?.state === 'inactive') return { sid, ...inactive(part.reason) }
    // an outbound gateway that answers no probes may still send inbound calls
    const inbound = carrier?.findings.filter(
      (f) => f.direction === 'inbound' || f.state === 'not_registered',
    )
    const found = [...(application?.findings ?? []), ...(inbound ?? [])]
    if (!application) return { sid, ...verdictOf(found) }
    const { state, reason } = application
    return { sid, ...verdictOf(found, { state: isTrouble(state) ? 'ok' : state, reason }) }
  })
}
