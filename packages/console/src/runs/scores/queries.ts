import { query } from '../../lib/api'
import { scoreCards } from '../../lib/endpoints'

export const viewOf = (application_sid: string) =>
  query(scoreCards.view, { params: { application_sid } })
export const stateOf = (application_sid: string) =>
  query(scoreCards.state, { params: { application_sid } })

export const scoreCardHref = (application_sid: string) =>
  `/internal/applications/${application_sid}/score-card`
export const scoresHref = (application_sid: string) =>
  `/internal/scores?application_sid=${application_sid}`
