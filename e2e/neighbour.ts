/** The service provider that every world has beside the default one. By name and by sid it is the second. */
export const NEIGHBOUR = {
  service_provider_sid: 'fa1d2b76-5c1e-4f0b-9d53-2f9f6f4b7a10',
  name: 'neighbour telecom',
}
