import { accounts } from '@switchroom/contract'
import { query } from '../../lib/api'

/** An account with its limits. */
export const viewOf = (account_sid: string) => query(accounts.view, { params: { account_sid } })
