import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'

/** Throws 403 for accounts where the operator reserves carriers and phone numbers for itself. */
export function refuseToAccounts({ config }: Pick<Context, 'config'>, scope: Scope) {
  if (config.admin_carrier && scope.role === 'account')
    throw new Failure('invalid', 'insufficient privileges')
}

/** True if only admins may set default applications, and this caller is none. */
export const mayNotRoute = ({ config }: Pick<Context, 'config'>, scope: Scope) =>
  config.page.DISABLE_DEFAULT_TRUNK_ROUTING && scope.role !== 'admin'
