import { query } from '../api'
import { secondFactor } from '../endpoints'

export const ownFactorQuery = () => query(secondFactor.view, {})
