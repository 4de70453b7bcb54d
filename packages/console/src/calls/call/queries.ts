import { query } from '../../lib/api'
import { recentCalls } from '../../lib/endpoints'

export const viewOf = (call_id: string) => query(recentCalls.view, { params: { call_id } })
