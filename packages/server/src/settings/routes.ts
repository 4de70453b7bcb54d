import type { api, SystemInformation } from '@switchroom/contract'
import { changing, noting } from '../changes/changing.ts'
import type { Db } from '../db/open.ts'
import type { Handlers } from '../http/serve.ts'
import * as settings from './queries.ts'

const lock = 'settings'
/** The platform's speech cache in Redis; there is none without it. */
const CACHE = 'tts:'

const information = {
  kind: 'system_information' as const,
  sid: 'system',
  lock,
  read: async (tx: Db) => ({ ...(await settings.systemInformation(tx)) }),
}
const passwords = {
  kind: 'password_settings' as const,
  sid: 'system',
  lock,
  read: settings.passwordSettings,
}

export const settingRoutes: Handlers<typeof api.settings> = {
  systemInformation: async ({ ctx }) => (await settings.systemInformation(ctx.db)) ?? {},

  async saveSystemInformation({ body, ...who }) {
    await changing(who, information, (tx) => settings.saveSystemInformation(tx, body))
    return (await settings.systemInformation(who.ctx.db)) as SystemInformation
  },

  passwordSettings: ({ ctx }) => settings.passwordSettings(ctx.db),

  async savePasswordSettings({ body, ...who }) {
    await changing(who, passwords, (tx) => settings.savePasswordSettings(tx, body))
    return {}
  },

  ttsCache: async ({ ctx }) => ({ size: await ctx.live.count(CACHE) }),

  async clearTtsCache(who) {
    await who.ctx.live.removeAll(CACHE)
    await noting(who, { action: 'clear', kind: 'tts_cache', sid: 'system', thing: {} })
  },
}
