import { type Logging, loggedOutbound } from '../../tenants/webhook-log/send-logged.ts'
import { secretsOf } from './masks.ts'
import type { RunApplication, RunOutbound } from './run-application.ts'

/** Outbound access of a run, whose requests are in the webhook log as well. What goes over a WebSocket is only in its steps. */
export function loggedRun(ctx: Logging, application: RunApplication): RunOutbound {
  const { account_sid, service_provider_sid, application_sid } = application
  return {
    ...loggedOutbound(ctx, {
      kind: 'run',
      account_sid,
      service_provider_sid,
      application_sid,
      secrets: secretsOf(application),
    }),
    socket: ctx.outbound.socket,
  }
}
