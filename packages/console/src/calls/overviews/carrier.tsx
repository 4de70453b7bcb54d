import { VoipCarrierOverview } from '../../carriers/voip-carriers/overview'
import { ThingCalls } from '../thing-calls'

/** The carrier's overview with its calls, of which carriers know nothing. */
export const CarrierOverview = () => <VoipCarrierOverview Calls={ThingCalls} />
