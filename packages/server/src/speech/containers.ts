/** A setting that is ticked: rows of other consoles hold numbers and texts. */
const isOn = (setting: unknown) => ['true', '1'].includes(String(setting))

/** The address of a vendor's container or region, without a slash at its end; its scheme may be left out. */
export function addressOf(setting: unknown, tls: unknown): string {
  const uri = String(setting).trim().replace(/\/+$/, '')
  return /^\w+:\/\//.test(uri)
    ? uri.replace(/^ws(?=s?:)/i, 'http')
    : `${isOn(tls) ? 'https' : 'http'}://${uri}`
}
