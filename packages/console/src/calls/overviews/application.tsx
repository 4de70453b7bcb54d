import { ApplicationOverview as Overview } from '../../applications/overview'
import { ThingCalls } from '../thing-calls'

/** The application's overview with its calls, of which applications know nothing. */
export const ApplicationOverview = () => <Overview Calls={ThingCalls} />
