import type { Env } from '../environment.ts'
import { backups, callData } from './call-data.ts'
import { databases } from './databases.ts'
import { hosted } from './hosted.ts'
import { consoleSettings, platform } from './platform.ts'
import type { Entry, Section } from './section.ts'
import { monitoring, server } from './server.ts'
import { sessions, singleSignOn } from './sessions.ts'

/** In the order of the guide. */
export const SECTIONS: Section[] = [
  server,
  sessions,
  databases,
  callData,
  backups,
  monitoring,
  singleSignOn,
  platform,
  consoleSettings,
  hosted,
]

/** Every variable: one that is missing does not compile. */
export const ENTRIES: Record<keyof Env, string | Entry> = {
  ...server.variables,
  ...sessions.variables,
  ...databases.variables,
  ...callData.variables,
  ...backups.variables,
  ...monitoring.variables,
  ...singleSignOn.variables,
  ...platform.variables,
  ...consoleSettings.variables,
  ...hosted.variables,
}
