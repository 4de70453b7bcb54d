import { query } from '../../lib/api'
import { secondFactor } from '../../lib/endpoints'

export const ownFactorQuery = () => query(secondFactor.view, {})
