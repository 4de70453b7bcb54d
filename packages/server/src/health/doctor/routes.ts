import type { api } from '@switchroom/contract'
import type { Handlers } from '../../http/serve.ts'

export const doctorRoutes: Handlers<typeof api.doctor> = {
  // one run at a time: who asks meanwhile, or just after, gets the same report
  run: ({ ctx: { config, memory } }) =>
    memory.doctor('report', async () => {
      // loaded on first use, because few starts need it
      const { runDoctor } = await import('./run.ts')
      const { siteOf } = await import('./site.ts')
      return runDoctor(siteOf({ environment: process.env, running: config }))
    }),
}
