import { secondFactor } from '@switchroom/contract'
import { query } from '../../lib/api'

export const ownFactorQuery = () => query(secondFactor.view, {})
