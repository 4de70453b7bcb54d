import { api, type Endpoint, lightApi } from '@switchroom/contract'

/** Members that make a route, and decide before a request is read. */
const MEMBERS = [
  'access',
  'allowViewOnly',
  'beforePasswordChange',
  'beforeSecondFactor',
  'errorMember',
  'grantsAccess',
  'hosted',
  'maxBody',
  'method',
  'mutatesWhen',
  'optionalLogin',
  'path',
  'personOnly',
  'privateNetworkOnly',
  'selfHosted',
  'takesCsv',
  'takesFile',
  'whileUnpaid',
] as const

/** An endpoint without its schemas. */
export type LightEndpoint = Pick<Endpoint, (typeof MEMBERS)[number]>

/**
 * The contract's endpoints as a start needs them. Making all schemas takes a third of a start's time and memory, so the
 * bundle has this as data, and makes the schemas of a group for its first request (bundle.ts).
 */
export const light = lightApi(api, MEMBERS, () => ({})) as unknown as Record<
  keyof typeof api,
  Record<string, LightEndpoint>
>

/** Loads the groups of the contract with their schemas. */
export const groups = Object.fromEntries(
  Object.entries(api).map(([name, group]) => [name, async () => group]),
) as unknown as { [G in keyof typeof api]: () => Promise<(typeof api)[G]> }
