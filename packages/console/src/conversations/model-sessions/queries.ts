import { query } from '../../lib/api'
import { modelSessions } from '../../lib/endpoints'

export const refusedOf = (account_sid: string) =>
  query(modelSessions.refused, { params: { account_sid } })

export const viewOf = (account_sid: string) =>
  query(modelSessions.view, { params: { account_sid } })
