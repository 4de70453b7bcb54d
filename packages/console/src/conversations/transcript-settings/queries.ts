import { query } from '../../lib/api'
import { accountSpeechCredentials, transcriptSettings } from '../../lib/endpoints'

export const viewOf = (account_sid: string) =>
  query(transcriptSettings.view, { params: { account_sid } })

/** The speech services that an account may use: few have so many. */
export const servicesOf = (account_sid: string) =>
  query(accountSpeechCredentials.list, {
    params: { account_sid },
    query: { page: 1, page_size: 100 },
  })
