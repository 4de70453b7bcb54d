import type { SuiteView } from '@switchroom/contract'
import { query } from '../../lib/api'
import { suites } from '../../lib/endpoints'
import { type ListSearch, paged } from '../../lib/list-search'
import { suitesHref } from '../runs/run-href'

const POLL_MS = 1_000

export const listOf = (application_sid: string, search: ListSearch) =>
  query(suites.list, { params: { application_sid }, query: paged(search) })

type OfSuite = { application_sid: string; suite_sid: string }

/** A suite, asked for again while it goes on. */
export const viewOf = (params: OfSuite) => ({
  ...query(suites.view, { params }),
  refetchInterval: ({ state: { data } }: { state: { data: SuiteView | undefined } }) =>
    data && data.results.running > 0 ? POLL_MS : (false as const),
  meta: { background: true as const },
})

export const suiteHref = ({ application_sid, suite_sid }: OfSuite) =>
  `${suitesHref(application_sid)}/${suite_sid}`
