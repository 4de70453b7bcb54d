import type { api } from '@switchroom/contract'
import { auditEvent, audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import type { Handlers } from '../../http/serve.ts'
import * as settings from './queries.ts'

const lock = 'settings'
/** Key prefix of the platform's speech cache in Redis. */
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
  read: settings.passwordRules,
}

type Saving = Parameters<Handlers<typeof api.settings>['savePasswordSettings']>[0]

const savePasswordSettings = async ({ body, ...actor }: Saving) => {
  await audited(actor, passwords, (tx) => settings.savePasswordSettings(tx, body))
}

export const settingRoutes: Handlers<typeof api.settings> = {
  systemInformation: async ({ ctx }) => (await settings.systemInformation(ctx.db)) ?? {},

  saveSystemInformation: ({ body, ...actor }) =>
    audited(actor, information, (tx) => settings.saveSystemInformation(tx, body)),

  passwordSettings: async ({ ctx }) => ({
    ...(await settings.passwordRules(ctx.db)),
    weak_passwords: ctx.config.weak_passwords,
  }),

  async savePasswordSettings(input) {
    await savePasswordSettings(input)
    return {}
  },

  savePasswordSettingsByPut: savePasswordSettings,

  ttsCache: async ({ ctx }) => ({ size: await ctx.live.count(CACHE) }),

  async clearTtsCache(actor) {
    await actor.ctx.live.removeAll(CACHE)
    await auditEvent(actor, { action: 'clear', kind: 'tts_cache', sid: 'system', subject: {} })
  },
}
