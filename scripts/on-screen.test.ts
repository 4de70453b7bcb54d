import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { api, type Endpoint } from '../packages/contract/src/index.ts'

const IN_PARTS = 'named by its prefix and the part of speech'
const WITH_CARRIER = 'gateways are saved with their carrier'
const WITH_TABLE = 'carriers of routes are saved with their table'

/** Members of request bodies that no form has: one member of a group, or all of them. */
const NOT_ON_SCREEN: Record<string, string> = {
  'accountSpeechTrials.encodingMp3': 'the console plays what it is sent',
  'accounts.disable_cdrs': 'set by programs: without records most screens of the account are empty',
  'applications.fallback_speech_recognizer_label': IN_PARTS,
  'applications.fallback_speech_recognizer_language': IN_PARTS,
  'applications.fallback_speech_synthesis_label': IN_PARTS,
  'applications.fallback_speech_synthesis_language': IN_PARTS,
  'applications.fallback_speech_synthesis_voice': IN_PARTS,
  lcrCarrierSetEntries: WITH_TABLE,
  'singleSignOn.logout_token': 'sent by identity providers',
  sipGateways: WITH_CARRIER,
  smppGateways: WITH_CARRIER,
  'voipCarriers.smpp_enquire_link_interval': 'no part of the platform reads it',
}

const root = 'packages/console/src'
const texts = globSync('*/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.includes('.test.') && file !== 'lib/endpoints.ts')
  .map((file) => ({ wing: file.split('/')[0], text: readFileSync(`${root}/${file}`, 'utf8') }))
const names = (name: string) => new RegExp(`\\b${name}\\b`)

/** Members that bodies of a group's requests may have. Files and lists have no names. */
function membersOf(group: object) {
  const bodies = Object.values(group as Record<string, Endpoint>).map(({ body }) => body)
  return new Set(bodies.flatMap((body) => Object.keys((body as { shape?: object })?.shape ?? {})))
}

/** The wings in which the group is used: its forms are there. */
function screensOf(group: string) {
  const wings = new Set(texts.filter(({ text }) => names(group).test(text)).map((t) => t.wing))
  return texts.filter(({ wing }) => wings.has(wing))
}

const missing = Object.entries(api).flatMap(([name, group]) => {
  const screens = screensOf(name)
  return [...membersOf(group)]
    .filter((member) => !screens.some(({ text }) => names(member).test(text)))
    .map((member) => `${name}.${member}`)
})
const groupOf = (member: string) => member.split('.')[0]!

it('shows what the bodies of requests may have in a form, or says why not', () => {
  expect(missing.length).toBeGreaterThan(10)
  const unexcused = missing.filter((m) => !(m in NOT_ON_SCREEN) && !(groupOf(m) in NOT_ON_SCREEN))
  expect(unexcused).toEqual([])
})

it('needs each excuse', () => {
  const excused = Object.keys(NOT_ON_SCREEN)
  expect(excused.filter((e) => !missing.some((m) => m === e || groupOf(m) === e))).toEqual([])
})
