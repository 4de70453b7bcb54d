import { z } from 'zod'
import { NoContent, resource, Sid, Text } from '../wire/common.ts'
import { adds, endpoints, removes } from '../wire/endpoint.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'
import { VIEW_LISTS } from './view-lists.ts'

const List = z.enum(keysOf(VIEW_LISTS))

/** Limit per person, and for the views shared with one account, one provider or the administrators. */
export const MAX_SAVED_VIEWS = 200
export const MAX_VIEW_NAME = 100
export const VIEW_NAME_TAKEN = t('A view with this name already exists')
/** Limit for the search, and for the columns, as JSON. */
const MAX_LENGTH = 4_096

const Column = z.string().max(64)
const Member = z.union([z.string(), z.number(), z.boolean(), z.null()])

const content = {
  /** The list's address as members: filters, order and page size. */
  search: z.record(z.string().max(64), z.union([Member, z.array(Member)])),
  /** Columns are named by their header. */
  view: z.object({
    order: z.array(Column).optional(),
    hidden: z.array(Column).optional(),
    /** Widths in pixels. */
    widths: z.record(Column, z.number().int().min(1).max(10_000)).optional(),
    compact: z.literal(true).optional(),
  }),
}
const fits = (value: unknown) => JSON.stringify(value).length <= MAX_LENGTH
const TOO_LARGE = t('This view is too large to be saved')
const body = z.object({
  name: Text(MAX_VIEW_NAME),
  search: content.search.refine(fits, TOO_LARGE),
  view: content.view.refine(fits, TOO_LARGE),
  /** Shares the view with everyone of the caller's account or provider, or with all administrators. */
  is_shared: z.boolean(),
})

export const SavedView = z.object({
  saved_view_sid: z.string(),
  list: List,
  name: z.string(),
  ...content,
  is_shared: z.boolean(),
  /** True if the reader saved it. Only its author can stop sharing it. */
  is_own: z.boolean(),
})
export type SavedView = z.infer<typeof SavedView>

const { one, all } = resource('/SavedViews', { saved_view_sid: Sid })
const person = { own: true, personOnly: true } as const
/** View-only users save views of their own, but share none. */
const write = { ...person, allowViewOnly: true } as const

export const savedViews = endpoints({
  list: {
    ...all,
    ...person,
    method: 'GET',
    summary: 'List the saved views of a list: your own, and those shared with you',
    query: z.object({ list: List }),
    response: z.array(SavedView),
  },
  create: {
    ...all,
    ...write,
    ...adds,
    summary: 'Save a view of a list, for yourself or shared with everyone of your scope',
    body: body.extend({ list: List, is_shared: body.shape.is_shared.default(false) }),
  },
  update: {
    ...one,
    ...write,
    method: 'PUT',
    summary: 'Rename, change, share or stop sharing a saved view',
    body: body.partial(),
    status: 204,
    response: NoContent,
  },
  remove: { ...one, ...write, ...removes, summary: 'Delete a saved view' },
})
