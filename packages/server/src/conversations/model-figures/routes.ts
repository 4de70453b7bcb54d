import type { api } from '@switchroom/contract'
import { ownerFigures } from '../../calls/recent-calls/owner-figures.ts'
import type { Handlers } from '../../http/serve.ts'
import { figuresOf } from './queries.ts'

const figures = ownerFigures(({ db }, { time_zone, ...wanted }) => figuresOf(db, wanted, time_zone))

export const accountModelRoutes: Handlers<typeof api.accountModelFigures> = { figures }
export const providerModelRoutes: Handlers<typeof api.providerModelFigures> = { figures }
