import { query } from '../../lib/api'
import { accountSpeechCredentials, transcriptSettings } from '../../lib/endpoints'

export const viewOf = (account_sid: string) =>
  query(transcriptSettings.view, { params: { account_sid } })

/** Speech services that an account may use, in one page that is long enough for nearly all. */
export const servicesOf = (account_sid: string) =>
  query(accountSpeechCredentials.list, {
    params: { account_sid },
    query: { page: 1, page_size: 100 },
  })
