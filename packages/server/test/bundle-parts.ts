/** Functions that tests call in a bundle: those that find files or share classes. */
export { mp3File } from '../src/audio/mp3.ts'
export { sqliteWorkerDialect } from '../src/db/sqlite-worker.ts'
export { groups, light } from '../src/http/endpoints.ts'
export { outbound } from '../src/outbound/outbound.ts'
export { passwordThreads } from '../src/secrets/password-threads.ts'
export { providerModules } from '../src/sms-modules/modules.ts'
export { protocolOf, Refused } from '../src/speech/protocol.ts'
