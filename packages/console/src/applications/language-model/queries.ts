import { query } from '../../lib/api'
import { languageModel } from '../../lib/endpoints'

export const viewOf = (account_sid: string) =>
  query(languageModel.view, { params: { account_sid } })

export const modelHref = (account_sid: string) => `/internal/accounts/${account_sid}/language-model`
