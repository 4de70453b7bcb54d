import type { PageConfig } from '@switchroom/contract'

declare global {
  interface Window {
    SWITCHROOM?: PageConfig
  }
}

/**
 * The page configuration. Our server writes it into the page; elsewhere the page loads it as /config.js before this
 * bundle.
 */
export const config: PageConfig =
  window.SWITCHROOM ?? JSON.parse(document.getElementById('config')?.textContent || '{}')

/** True on Switchroom's server; false on the platform's own API server. */
export const isSwitchroom = () => !!config.capabilities

export const apiBase = (config.API_BASE_URL ?? `${location.origin}/api/v1`).replace(/\/+$/, '')
