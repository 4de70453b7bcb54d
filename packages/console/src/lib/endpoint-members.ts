/** Members of an endpoint that requests need; the build takes no more from the contract (endpoints-plugin.ts). */
export const ENDPOINT_MEMBERS = [
  'method',
  'path',
  'list',
  'own',
  'file',
  'takesCsv',
  'takesFile',
  'tellsProgress',
  'relayed',
  'sound',
] as const
