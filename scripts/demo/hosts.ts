/** Addresses of the platform's components, from the ranges for documentation and for private networks. */
export const SBC = '192.0.2.10'
export const SBCS = [SBC, '192.0.2.11'] as const
export const FEATURE_SERVER = '10.20.0.21'
