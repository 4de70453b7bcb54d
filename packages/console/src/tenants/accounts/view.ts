import { query } from '../../lib/api'
import { accounts } from '../../lib/endpoints'

/** An account with its limits. */
export const viewOf = (account_sid: string) => query(accounts.view, { params: { account_sid } })
