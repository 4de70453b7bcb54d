import type { RunView } from '@switchroom/contract'
import { queryOptions } from '@tanstack/react-query'
import { query, queryClient, send } from '../../lib/api'
import { runs } from '../../lib/endpoints'
import { type ListSearch, paged } from '../../lib/list-search'
import { mergeRun } from './merge-run'

/** How often a run that goes on is asked for, in milliseconds. */
const POLL_MS = 400
/** The same of a list with such a run in it. */
const LIST_POLL_MS = 3_000

type OfApplication = { application_sid: string }
export type OfRun = OfApplication & { run_sid: string }

export const listOf = ({ application_sid }: OfApplication, search: ListSearch) => ({
  ...query(runs.list, { params: { application_sid }, query: paged(search) }),
  refetchInterval: ({
    state: { data },
  }: {
    state: { data: { data: { state: string }[] } | undefined }
  }) => (data?.data.some(({ state }) => state === 'running') ? LIST_POLL_MS : false),
})

/** The run that began last. */
export const latestOf = ({ application_sid }: OfApplication) =>
  query(runs.list, {
    params: { application_sid },
    query: { page: 1, page_size: 1, sort: '-begun_at' },
  })

const viewKey = (of: OfRun) => [runs.view.path, of] as const

/** A run, of which only new steps are asked for while it goes on. */
export const viewOf = (of: OfRun) =>
  queryOptions({
    queryKey: viewKey(of),
    queryFn: async (): Promise<RunView> => {
      const known = () => queryClient.getQueryData<RunView>(viewKey(of))
      const skip = known()?.steps.length ?? 0
      const came = await send(runs.view, { params: of, query: { skip } })
      return mergeRun(known(), skip, came)
    },
    // the same run stays the same object
    structuralSharing: false,
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? POLL_MS : false),
    meta: { background: true },
  })

/** Caches a run that has just started, so that it shows immediately. */
export const keepRun = ({ application_sid, run_sid }: OfRun, run: RunView) =>
  queryClient.setQueryData(viewKey({ application_sid, run_sid }), run)
