import { type Call, type Caller, checkUuid, refuse, refuseInGuard } from './wire.ts'

/** Who may access an account or a provider, and the errors for everyone else. */

async function mayReachAccount({ db, caller }: Call, sid: unknown) {
  if (caller.scope === 'admin') return true
  if (caller.scope === 'account') return caller.account_sid === sid
  const account = await db.row('accounts', 'account_sid', sid)
  return account?.service_provider_sid === caller.service_provider_sid
}

const ownProvider = (caller: Caller, sid: unknown) =>
  caller.scope === 'admin' ||
  (caller.scope === 'service_provider' && caller.service_provider_sid === sid)

/** Guards the routes nested below an account. */
export async function guardAccount(call: Call) {
  const sid = call.params.sid!
  if (!/^[0-9a-f-]{36}$/i.test(sid)) refuseInGuard(400, 'invalid AccountsSid format')
  if (!(await mayReachAccount(call, sid))) refuseInGuard(403, 'insufficient privileges')
}

/** Guards the routes nested below a provider. */
export function guardProvider(call: Call) {
  if (!ownProvider(call.caller, call.params.sid)) refuseInGuard(403, 'insufficient privileges')
  checkUuid(call.params.sid!)
}

/** Checks access inside an account's own handlers. */
export async function checkAccount(call: Call) {
  checkUuid(call.params.sid!)
  if (!(await mayReachAccount(call, call.params.sid))) refuse(403, 'insufficient permissions')
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
  if (caller.scope !== 'admin') refuseInGuard(403, 'insufficient privileges')
}

export { mayReachAccount }
