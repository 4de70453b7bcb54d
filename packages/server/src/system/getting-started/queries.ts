import {
  type GettingStarted,
  type OpenReason,
  SERVICE_PROVIDER_NEEDED,
  type Step,
  t,
} from '@switchroom/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { DEFAULT_PROVIDER_NAME } from '../../db/seed.ts'
import type { Context } from '../../http/context.ts'
import { found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { sbcAddresses } from '../../tenants/sbc-addresses.ts'
import * as providers from '../../tenants/service-providers/queries.ts'
import { type Arriving, arriving } from './arriving.ts'
import { doorsOf } from './doors.ts'

/** Whose first call it is: the caller's account or provider; an administrator names a provider. Throws 400 or 404. */
export async function ownerFor(
  db: Db,
  scope: Scope,
  named: string | undefined,
): Promise<Required<Pick<Owner, 'service_provider_sid'>> & Owner> {
  if (named) found(await providers.find(db, scope, named), t('service provider'))
  if (scope.role === 'account')
    return { account_sid: scope.account_sid, service_provider_sid: scope.service_provider_sid }
  const service_provider_sid =
    scope.role === 'service_provider' ? scope.service_provider_sid : named
  if (!service_provider_sid) throw invalidField('service_provider_sid', SERVICE_PROVIDER_NEEDED)
  return { service_provider_sid }
}

/** A step that is open for a reason, or done. */
const step = (step: Step, open: OpenReason | false) => ({ step, open: open || null })

/** The steps to a first call, which are done, and what the open ones need. */
export async function gettingStarted(
  ctx: Context,
  scope: Scope,
  named: string | undefined,
): Promise<GettingStarted> {
  const { db, config } = ctx
  const owner = await ownerFor(db, scope, named)
  const own = owner.account_sid !== undefined
  const [set, arrived] = await Promise.all([provisioned(db, owner), arriving(ctx, owner)])
  const { account, application, number } = set
  const isHosted = config.page.ENABLE_HOSTED_SYSTEM === true
  const steps = own
    ? [
        ...(isHosted
          ? [
              step('realm', !account?.sip_realm && 'no_realm'),
              step('client', !set.hasClient && 'no_client'),
            ]
          : []),
        step('application', applicationState(set, isHosted)),
        ...(isHosted ? [] : [step('number', numberState(number))]),
        step('call', callState(arrived)),
      ]
    : [
        ...(scope.role === 'admin' ? [step('platform', !config.database && 'alone')] : []),
        step('provider', set.providerName === DEFAULT_PROVIDER_NAME && 'unnamed'),
        step('carrier', carrierState(set.carrier)),
        step('application', !application && 'no_application'),
        step('number', numberState(number)),
        step('sbc', set.sbcs.length === 0 && 'no_sbc'),
        step('calls', arrived.open.calls),
        step('traces', arrived.open.traces),
        step('sip', arrived.open.sip),
        step('recordings', arrived.open.recordings),
        step('call', callState(arrived)),
      ]
  return {
    steps,
    carrier: set.carrier && {
      voip_carrier_sid: set.carrier.voip_carrier_sid,
      name: set.carrier.name,
    },
    application,
    number: number && { phone_number_sid: number.phone_number_sid, number: number.number },
    account: account && {
      account_sid: account.account_sid,
      name: account.name,
      sip_realm: account.sip_realm,
    },
    sbcs: set.sbcs,
    doors: scope.role === 'admin' ? doorsOf(config) : null,
    latest_call: arrived.latest,
  }
}

type Provisioned = Awaited<ReturnType<typeof provisioned>>

const carrierState = (carrier: Provisioned['carrier']) =>
  !carrier ? 'no_carrier' : !carrier.has_gateway && 'no_gateway'

const numberState = (number: Provisioned['number']) =>
  !number ? 'no_number' : !number.is_routed && 'unrouted'

/** Where SIP clients make the first call, it needs the account's application for them. */
function applicationState({ application, account }: Provisioned, isHosted: boolean) {
  if (!application) return 'no_application'
  return isHosted && !account?.device_calling_application_sid && 'not_for_clients'
}

function callState({ isAnswered, latest, open }: Arriving) {
  if (isAnswered) return false
  if (open.calls === 'unavailable') return 'unavailable'
  return latest ? 'unanswered' : 'no_call'
}

/** What the owner has of each kind: the one that is furthest. */
async function provisioned(db: Db, owner: Owner & { service_provider_sid: string }) {
  const { account_sid, service_provider_sid } = owner
  const whose = account_sid ? { account_sid } : { service_provider_sid }
  // from its applications, which are fewer: a database reads every number to find that none has one
  const routedNumber = sql<string>`(select sid from (
    select (
      select phone_number_sid from phone_numbers
      where application_sid = applications.application_sid and ${ownedBy('phone_numbers', whose)} limit 1
    ) as sid from applications where ${ownedBy('applications', whose)}
  ) as routed where sid is not null limit 1)`
  const numbers = db.selectFrom('phone_numbers').select(['phone_number_sid', 'number'])
  const [provider, account, carrier, application, routed, any, client, own, shared] =
    await Promise.all([
      // an account's steps are its own business only
      !account_sid &&
        db
          .selectFrom('service_providers')
          .select('name')
          .where('service_provider_sid', '=', service_provider_sid)
          .executeTakeFirst(),
      db
        .selectFrom('accounts')
        .select(['account_sid', 'name', 'sip_realm', 'device_calling_application_sid'])
        .where(ownedBy('accounts', whose))
        .limit(1)
        .executeTakeFirst(),
      !account_sid &&
        db
          .selectFrom('voip_carriers')
          .select(['voip_carriers.voip_carrier_sid', 'name'])
          .select((eb) => eb.exists(activeGateway).as('has_gateway'))
          .where(ownedBy('voip_carriers', whose))
          .where('is_active', '=', 1)
          .orderBy('has_gateway', 'desc')
          .limit(1)
          .executeTakeFirst(),
      db
        .selectFrom('applications')
        .select(['application_sid', 'name'])
        .where(ownedBy('applications', whose))
        .limit(1)
        .executeTakeFirst(),
      numbers.where('phone_number_sid', '=', routedNumber).executeTakeFirst(),
      numbers.where(ownedBy('phone_numbers', whose)).limit(1).executeTakeFirst(),
      account_sid &&
        db
          .selectFrom('clients')
          .select('client_sid')
          .where('account_sid', '=', account_sid)
          .limit(1)
          .executeTakeFirst(),
      account_sid ? [] : sbcAddresses(db, service_provider_sid),
      account_sid ? [] : sbcAddresses(db, null),
    ])
  const number = routed ?? any
  return {
    providerName: provider ? provider.name : undefined,
    account: account ?? null,
    carrier: carrier || null,
    application: application ?? null,
    number: number ? { ...number, is_routed: routed !== undefined } : null,
    hasClient: !!client,
    // as the platform does: the shared ones only where there are none of the provider's own
    sbcs: (own.length > 0 ? own : shared).map(({ ipv4, port }) => ({ ipv4, port })),
  }
}

const activeGateway = sql<unknown>`(select 1 from sip_gateways g
  where g.voip_carrier_sid = voip_carriers.voip_carrier_sid and g.is_active = 1)`
