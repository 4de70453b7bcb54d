import { AccountOverview as Overview } from '../../tenants/accounts/overview'
import { ThingCalls } from '../thing-calls'

/** The account's overview with its calls, of which accounts know nothing. */
export const AccountOverview = () => <Overview Calls={ThingCalls} />
