import type { api, SystemInformation } from '@switchroom/contract'
import { transaction } from '../db/transaction.ts'
import type { Handlers } from '../http/serve.ts'
import * as settings from './queries.ts'

const lock = 'settings'
/** The platform's speech cache in Redis; there is none without it. */
const CACHE = 'tts:'

export const settingRoutes: Handlers<typeof api.settings> = {
  systemInformation: async ({ ctx }) => (await settings.systemInformation(ctx.db)) ?? {},

  async saveSystemInformation({ body, ctx }) {
    await transaction(ctx.db, (tx) => settings.saveSystemInformation(tx, body), { lock })
    return (await settings.systemInformation(ctx.db)) as SystemInformation
  },

  passwordSettings: ({ ctx }) => settings.passwordSettings(ctx.db),

  async savePasswordSettings({ body, ctx }) {
    await transaction(ctx.db, (tx) => settings.savePasswordSettings(tx, body), { lock })
    return {}
  },

  ttsCache: async ({ ctx }) => ({ size: await ctx.live.count(CACHE) }),

  clearTtsCache: ({ ctx }) => ctx.live.removeAll(CACHE),
}
