import { type api, t } from '@switchroom/contract'
import { ownerFigures } from '../../calls/recent-calls/owner-figures.ts'
import { found } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { figuresOf } from './figures.ts'
import * as scores from './queries.ts'

const figures = ownerFigures(({ db }, { time_zone, ...wanted }) => figuresOf(db, wanted, time_zone))

export const accountScoreRoutes: Handlers<typeof api.accountScores> = {
  figures,
  async view({ params: { account_sid, call_sid }, scope, ctx: { db } }) {
    found(await accounts.findVisible(db, scope, account_sid), t('account'))
    return { score: (await scores.view(db, { account_sid, call_sid })) ?? null }
  },
}
export const providerScoreRoutes: Handlers<typeof api.providerScores> = { figures }
