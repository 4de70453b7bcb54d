import { type Call, type Caller, checkUuid, refuse, turnAway } from './wire.ts'

/** Who may reach an account or a provider, and in which words the others are refused. */

async function reachesAccount({ db, caller }: Call, sid: unknown) {
  if (caller.scope === 'admin') return true
  if (caller.scope === 'account') return caller.account_sid === sid
  const account = await db.row('accounts', 'account_sid', sid)
  return account?.service_provider_sid === caller.service_provider_sid
}

const ownProvider = (caller: Caller, sid: unknown) =>
  caller.scope === 'admin' ||
  (caller.scope === 'service_provider' && caller.service_provider_sid === sid)

/** In front of routers below an account. */
export async function guardAccount(call: Call) {
  const sid = call.params.sid!
  if (!/^[0-9a-f-]{36}$/i.test(sid)) turnAway(400, 'invalid AccountsSid format')
  if (!(await reachesAccount(call, sid))) turnAway(403, 'insufficient privileges')
}

/** In front of routers below a provider. */
export function guardProvider(call: Call) {
  if (!ownProvider(call.caller, call.params.sid)) turnAway(403, 'insufficient privileges')
  checkUuid(call.params.sid!)
}

/** Within handlers of an account. */
export async function checkAccount(call: Call) {
  checkUuid(call.params.sid!)
  if (!(await reachesAccount(call, call.params.sid))) refuse(403, 'insufficient permissions')
}

export async function checkProviderRead({ db, caller, params }: Call) {
  checkUuid(params.sid!)
  if (ownProvider(caller, params.sid)) return
  const account =
    caller.scope === 'account' && (await db.row('accounts', 'account_sid', caller.account_sid))
  if (!account || account.service_provider_sid !== params.sid)
    refuse(403, 'insufficient permissions')
}

export function checkProviderWrite({ caller, params }: Call) {
  checkUuid(params.sid!)
  if (!ownProvider(caller, params.sid))
    refuse(403, 'insufficient permissions to update service provider')
}

export function guardAdmin({ caller }: Call) {
  if (caller.scope !== 'admin') turnAway(403, 'insufficient privileges')
}

export { reachesAccount }
