import type { Context } from '../context.ts'
import { Failure } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'

/** Where the operator keeps carriers and numbers to itself, accounts may not touch them. */
export function refuseToAccounts({ config }: Pick<Context, 'config'>, scope: Scope) {
  if (config.admin_carrier && scope.role === 'account')
    throw new Failure('invalid', 'insufficient privileges')
}
