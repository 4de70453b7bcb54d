import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'

/** Whether only admins may set default applications, and this caller is none. */
export const mayNotRoute = ({ config }: Pick<Context, 'config'>, scope: Scope) =>
  config.page.DISABLE_DEFAULT_TRUNK_ROUTING && scope.role !== 'admin'
