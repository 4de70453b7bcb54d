import {
  activeFields,
  configSchema,
  type Field,
  isSecret,
  MASK,
  type SpeechCredential,
  SpeechCredentialCreate,
  type Vendor,
  vendors,
} from '@switchroom/contract'
import { describe, expect, it } from 'vitest'
import { credentialBody } from '../../lib/stock/speech'
import { check, configOf, createBody, fieldFor, NO_USE, updateBody } from './payload'
import { blankValues, choiceOf, leftBehind, placeOf, type SpeechValues, valuesOf } from './values'
import { vendorName } from './vendor-name'

const PROVIDER = '2708b1b3-2736-40ea-b502-c53d8396247f'
const all = Object.values(vendors) as Vendor[]
const modesOf = (v: Vendor) => (v.modes ? Object.keys(v.modes) : [''])

function sampleValue(f: Field): string | boolean {
  switch (f.kind) {
    case 'toggle':
      return true
    case 'select':
      return f.options.at(-1)!.value
    case 'json':
      return '{"speed": 1}'
    case 'key_file':
      return JSON.stringify({ client_email: 'a@b.example', private_key: 'typed-secret' })
    case 'secret':
      return 'typed-secret'
    default:
      return f.kind === 'text' && f.pattern ? '10.0.0.1:5060' : 'typed'
  }
}

/** Form values with every field of the vendor filled in. */
function filledValues(v: Vendor, mode: string): SpeechValues {
  const values = blankValues('')
  const settings = values.settings[v.id]!
  Object.assign(settings, {
    mode,
    use_for_tts: v.does.includes('tts'),
    use_for_stt: v.does.includes('stt'),
    ...(v.id === 'custom' && { name: 'acme' }),
  })
  for (const [key, f] of Object.entries(activeFields(v, choiceOf(settings)))) {
    const [, , part, ...rest] = placeOf(v, mode, key)
    if (part === 'fields') settings.fields[key] = sampleValue(f)
    else settings.modes[rest[0]!]![key] = sampleValue(f)
  }
  return { ...values, vendor: v.id, label: ' main ' }
}

const row = (v: Vendor, config: object): SpeechCredential => ({
  speech_credential_sid: PROVIDER,
  service_provider_sid: PROVIDER,
  account_sid: null,
  vendor: v.id === 'custom' ? 'custom:acme' : v.id,
  label: null,
  use_for_tts: v.does.includes('tts') ? 1 : 0,
  use_for_stt: v.does.includes('stt') ? 1 : 0,
  last_used: null,
  last_tested: null,
  tts_tested_ok: null,
  stt_tested_ok: null,
  created_at: null,
  ...config,
})

/** The credential as the server returns it: the values entered, with secrets masked. */
function storedCredential(v: Vendor, mode: string): SpeechCredential {
  const values = filledValues(v, mode)
  const settings = values.settings[v.id]!
  const fields = activeFields(v, choiceOf(settings))
  const config = Object.entries(configOf(v, settings)).map(([key, value]) => [
    key,
    !isSecret(fields[key]!)
      ? typeof value === 'boolean'
        ? Number(value)
        : value
      : fields[key]!.kind === 'key_file'
        ? JSON.stringify({ client_email: 'a@b.example', private_key: MASK })
        : MASK,
  ])
  return row(v, Object.fromEntries(config))
}

describe.each(all)('$id', (v) => {
  it.each(modesOf(v))('sends what its schema accepts, in mode "%s"', (mode) => {
    const values = filledValues(v, mode)
    const settings = values.settings[v.id]!
    expect(check(values)).toEqual([])
    const body = createBody(values, PROVIDER)
    expect(SpeechCredentialCreate.safeParse(body).error).toBeUndefined()
    expect(body).toMatchObject({ label: 'main', account_sid: null })
    const config = Object.fromEntries(
      Object.entries(body).filter(([key]) => key in activeFields(v, choiceOf(settings))),
    )
    expect(config).toEqual(configOf(v, settings))
    expect(configSchema(v, choiceOf(settings)).safeParse(config).error).toBeUndefined()
  })

  it.each(modesOf(v))('sends no secret and no mask if nothing changed, in mode "%s"', (mode) => {
    const stored = storedCredential(v, mode)
    const values = valuesOf(v, stored)
    expect(values.settings[v.id]!.mode).toBe(mode)
    expect(JSON.stringify(values)).not.toContain(MASK)
    expect(check(values, stored)).toEqual([])
    const body = updateBody(values, stored)
    expect(JSON.stringify(body)).not.toContain(MASK)
    expect(Object.values(body)).not.toContain(null)
    const secrets = Object.entries(activeFields(v, choiceOf(values.settings[v.id]!)))
      .filter(([, f]) => isSecret(f))
      .map(([key]) => key)
    for (const key of secrets) expect(body).not.toHaveProperty(key)
    expect(JSON.stringify(credentialBody(body, stored))).not.toContain(MASK)
  })

  it.each(modesOf(v))('may be used for neither once it is stored, in mode "%s"', (mode) => {
    const stored = storedCredential(v, mode)
    const values = valuesOf(v, stored)
    Object.assign(values.settings[v.id]!, { use_for_tts: false, use_for_stt: false })
    expect(check(values, stored)).toEqual([])
    expect(updateBody(values, stored)).toMatchObject({ use_for_tts: 0, use_for_stt: 0 })
    // and is read back like that
    const unused = { ...stored, use_for_tts: 0, use_for_stt: 0 } as const
    expect(check(valuesOf(v, unused), unused)).toEqual([])
  })

  it('asks for its uses where there are two, and none is chosen', () => {
    const values = filledValues(v, modesOf(v)[0]!)
    Object.assign(values.settings[v.id]!, { use_for_tts: false, use_for_stt: false })
    const asked = check(values).some((i) => i.message === NO_USE)
    expect(asked).toBe(v.does.length === 2)
  })

  it('reports required fields on the fields themselves', () => {
    const values = { ...blankValues(''), vendor: v.id }
    for (const { path } of check(values)) expect(path.slice(0, 2)).toEqual(['settings', v.id])
  })
})

it('starts without a vendor, which is required', () => {
  expect(check(blankValues(''))).toEqual([{ path: ['vendor'], message: 'Select a vendor' }])
})

it('sends no values of another mode or vendor, and restores them on switching back', () => {
  const values = filledValues(vendors.deepgram, 'onprem')
  const settings = values.settings.deepgram!
  values.settings.elevenlabs!.fields.api_key = 'for another vendor'
  settings.mode = 'hosted'
  settings.modes.hosted!.api_key = 'cloud key'
  const body = createBody(values, PROVIDER)
  expect(body).toMatchObject({ mode: 'hosted', api_key: 'cloud key' })
  expect(body).not.toHaveProperty('deepgram_tts_uri')
  expect(JSON.stringify(body)).not.toContain('for another vendor')
  settings.mode = 'onprem'
  expect(createBody(values, PROVIDER)).toMatchObject({ deepgram_tts_uri: 'typed' })
})

it('clears region, API key and service key of the vendor that is left, in all modes', () => {
  const microsoft = filledValues(vendors.microsoft, modesOf(vendors.microsoft)[0]!)
  const left = leftBehind('microsoft', microsoft.settings.microsoft!)
  const all = { ...left.fields, ...Object.assign({}, ...Object.values(left.modes)) }
  const blank = blankValues('').settings.microsoft!
  const blanks = { ...blank.fields, ...Object.assign({}, ...Object.values(blank.modes)) }
  for (const [key, value] of Object.entries(all))
    if (/region|api_key/.test(key)) expect([key, value]).toEqual([key, blanks[key]])
  expect(left.use_for_tts).toBe(microsoft.settings.microsoft!.use_for_tts)
  const google = filledValues(vendors.google, '').settings.google!
  expect(google.fields.service_key).toBeTruthy()
  expect(leftBehind('google', google).fields.service_key).toBe('')
})

it('clears the fields of the previous mode when a stored one changes mode, and keeps its key', () => {
  const stored = storedCredential(vendors.deepgram, 'onprem')
  const values = valuesOf(vendors.deepgram, stored)
  values.settings.deepgram!.mode = 'hosted'
  const body = updateBody(values, stored)
  expect(body).toMatchObject({ mode: 'hosted', deepgram_tts_uri: null, deepgram_stt_use_tls: null })
  expect(body).not.toHaveProperty('api_key')
  expect(check(values, stored)).toEqual([])
})

it('sends a replaced secret, and null for a removed one', () => {
  const stored = storedCredential(vendors.deepgram, 'onprem')
  const values = valuesOf(vendors.deepgram, stored)
  const onprem = values.settings.deepgram!.modes.onprem!
  onprem.api_key = 'new key'
  expect(updateBody(values, stored)).toMatchObject({ api_key: 'new key' })
  onprem.api_key = ''
  expect(updateBody(values, stored)).toMatchObject({ api_key: null })
})

it('clears emptied fields, and leaves the fields of a disabled use unchanged', () => {
  const stored = storedCredential(vendors.ibm, '')
  const values = valuesOf(vendors.ibm, stored)
  values.settings.ibm!.use_for_stt = false
  const body = updateBody(values, stored)
  expect(body).toMatchObject({ use_for_tts: 1, use_for_stt: 0 })
  expect(body).not.toHaveProperty('stt_region')
  const google = storedCredential(vendors.google, '')
  const changed = valuesOf(vendors.google, google)
  changed.settings.google!.fields.model_id = ''
  expect(updateBody(changed, google)).toMatchObject({ model_id: null })
})

it('prefixes a custom vendor, and rejects a name too long for its column', () => {
  const values = filledValues(vendors.custom, '')
  expect(createBody(values, PROVIDER)).toMatchObject({ vendor: 'custom:acme' })
  expect(vendorName('custom:acme')).toBe('acme')
  values.settings.custom!.name = 'x'.repeat(26)
  expect(check(values).map((i) => i.path.join('.'))).toEqual(['settings.custom.name'])
  expect(fieldFor(['vendor'], values)).toEqual(['settings', 'custom', 'name'])
})

it('requires custom voices when they are enabled', () => {
  const values = filledValues(vendors.google, '')
  const settings = values.settings.google!
  settings.use_custom_voices = true
  expect(check(values)).toEqual([
    {
      path: ['settings', 'google', 'voices'],
      message: 'You must provide at least one custom voice.',
    },
  ])
  settings.voices = [
    {
      key: '1',
      name: 'Ann',
      reported_usage: 'REALTIME',
      use_voice_cloning_key: true,
      model: '',
      voice_cloning_key: undefined,
    },
  ]
  expect(check(values).map((i) => i.path.at(-1))).toEqual(['voice_cloning_key'])
  settings.voices[0]!.preview = 'abc...'
  expect(check(values)).toEqual([])
})

it('reports the line of invalid JSON in extra options', () => {
  const values = filledValues(vendors.elevenlabs, '')
  values.settings.elevenlabs!.fields.options = '{\n  "a": 1,\n  b\n}'
  expect(check(values)).toEqual([
    {
      path: ['settings', 'elevenlabs', 'fields', 'options'],
      message: 'Not valid JSON, at line 3',
    },
  ])
  values.settings.elevenlabs!.fields.options = '[1]'
  expect(check(values)[0]!.message).toMatch(/Enter a JSON object/)
})

it('assigns a server error to its field', () => {
  const values = filledValues(vendors.deepgram, 'hosted')
  expect(fieldFor(['api_key'], values)).toEqual([
    'settings',
    'deepgram',
    'modes',
    'hosted',
    'api_key',
  ])
  expect(fieldFor(['model_id'], values)).toEqual(['settings', 'deepgram', 'fields', 'model_id'])
  expect(fieldFor(['use_for_stt'], values)).toEqual(['settings', 'deepgram', 'use_for_stt'])
  expect(fieldFor(['label'], values)).toEqual(['label'])
})

it('sends other servers what their own console sends, and fields they would otherwise clear', () => {
  const values = filledValues(vendors.microsoft, 'onprem')
  expect(credentialBody(createBody(values, PROVIDER))).toMatchObject({
    use_custom_tts: 1,
    use_custom_stt: 1,
  })
  expect(credentialBody(createBody(values, PROVIDER))).not.toHaveProperty('mode')
  const stored = storedCredential(vendors.ibm, '')
  const ibm = valuesOf(vendors.ibm, stored)
  ibm.settings.ibm!.use_for_stt = false
  expect(credentialBody(updateBody(ibm, stored), stored)).toMatchObject({
    stt_region: 'kr-seo',
    instance_id: 'typed',
  })
})
