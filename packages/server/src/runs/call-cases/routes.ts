import type { api, Call } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { callAndTrace } from '../../calls/traces.ts'
import type { Handlers } from '../../http/serve.ts'

const nameOf = ({ attempted_at }: Pick<Call, 'attempted_at'>) =>
  `Call of ${new Date(attempted_at).toISOString().slice(0, 19).replace('T', ' ')}`

export const callCaseRoutes: Handlers<typeof api.callCases> = {
  async view({ params: { trace_id, ...named }, scope, ctx }) {
    const { call, trace } = await callAndTrace(ctx, scope, named, trace_id)
    // few starts need it
    const { applicationIn, callScript, startOf } = await import('./call-case.ts')
    const { caseFile } = await import('./case-file.ts')
    const sid = call.application_sid ?? applicationIn(trace)
    const application = sid ? await applications.view(ctx, scope, sid) : undefined
    const { steps, notes } = callScript(trace)
    const { kinds = null } = scope.key_limits ?? {}
    const mayReadVariables = kinds?.includes('applications') ?? true
    const whole = { name: nameOf(call), start: startOf(call), steps, notes }
    return {
      ...whole,
      application_sid: application?.application_sid ?? null,
      // view-only callers read masks in it
      file: scope.view_only
        ? ''
        : caseFile(whole, {
            application: application?.name,
            env_vars: mayReadVariables ? application?.env_vars : undefined,
          }),
    }
  },
}
