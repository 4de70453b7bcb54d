import type { GatewayProbe } from '@switchroom/contract'

export type RoutingTables = {
  switchroom_phone_numbers: { phone_number_sid: string; description: string }
  /** The latest probe results of gateways. */
  switchroom_gateway_probes: GatewayProbe & { gateway_probe_sid: string }
}
