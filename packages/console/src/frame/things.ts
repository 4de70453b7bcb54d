import { thing as alert_destination } from '../alerts/alert-destinations/thing'
import { thing as application } from '../applications/thing'
import { thing as voip_carrier } from '../carriers/voip-carriers/thing'
import { thing as client } from '../devices/clients/thing'
import { thing as ms_teams_tenant } from '../devices/ms-teams-tenants/thing'
import type { Thing } from '../lib/thing'
import type { ThingKind } from '../lib/thing-href'
import { thing as lcr } from '../routing/lcrs/thing'
import { thing as phone_number } from '../routing/phone-numbers/thing'
import { thing as speech_credential } from '../speech/speech-credentials/thing'
import { thing as account } from '../tenants/accounts/thing'
import { thing as user } from '../users/thing'

/** Kinds that have a page of their own, in the order in which the palette offers to add them. */
export const THINGS: Record<ThingKind, Thing> = {
  ...{ account, application, voip_carrier, phone_number, client },
  ...{ speech_credential, user, ms_teams_tenant, lcr, alert_destination },
}
