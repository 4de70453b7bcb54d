import type { PageConfig } from '@switchroom/contract'

declare global {
  interface Window {
    SWITCHROOM?: PageConfig
  }
}

/** The page configuration, which the server serves as /config.js and the page loads before this bundle. */
export const config: PageConfig = window.SWITCHROOM ?? {}

export const apiBase = (config.API_BASE_URL ?? `${location.origin}/api/v1`).replace(/\/+$/, '')
