import { query } from '../../lib/api'
import { runs, simulatedCallers } from '../../lib/endpoints'

/** Most simulated callers that an application has, so that one page holds them all. */
const ALL = 20
/** Runs that are kept of an application. */
const KEPT = 100

const POLL_MS = 2_000

export const listOf = (application_sid: string) => ({
  ...query(simulatedCallers.list, {
    params: { application_sid },
    query: { page: 1, page_size: ALL, sort: 'name' },
  }),
  refetchInterval: ({
    state: { data },
  }: {
    state: { data: { data: { running: number }[] } | undefined }
  }) => (data?.data.some(({ running }) => running > 0) ? POLL_MS : false),
})

export type CallerParams = { application_sid: string; simulated_caller_sid: string }
export const viewOf = (params: CallerParams) => query(simulatedCallers.view, { params })

/** The conversations of a caller that are kept, newest first. */
export const conversationsOf = ({ application_sid, simulated_caller_sid }: CallerParams) => ({
  ...query(runs.list, {
    params: { application_sid },
    query: { page: 1, page_size: KEPT, sort: '-begun_at', simulated_caller_sid },
  }),
  refetchInterval: ({
    state: { data },
  }: {
    state: { data: { data: { state: string }[] } | undefined }
  }) => (data?.data.some(({ state }) => state === 'running') ? POLL_MS : false),
})

const callersHref = (application_sid: string) =>
  `/internal/applications/${application_sid}/simulated-callers`
export const callerHref = ({ application_sid, simulated_caller_sid }: CallerParams) =>
  `${callersHref(application_sid)}/${simulated_caller_sid}`
export const addHref = (application_sid: string, offer?: string) =>
  `${callersHref(application_sid)}/add${offer === undefined ? '' : `?offer=${offer}`}`
