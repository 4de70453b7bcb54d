import { describe, expect, it } from 'vitest'
import { secretBox } from './secret-box.ts'

const one = secretBox({ secret: 'interop-secret-one', legacy: false })
const jwt = secretBox({ secret: 'jwt-only-secret', legacy: false })
const legacy = secretBox({ secret: 'interop-secret-one', legacy: true })
const config = '{"api_key":"sk-test-0001","region":"us-east-1"}'
const counted = '000102030405060708090a0b0c0d0e0f'
const blob = (iv: string, content: string) => JSON.stringify({ iv, content })

// written by the platform's own module
const vectors = [
  [
    'CBC',
    one,
    config,
    '7657dcb9f86c4b3316804327294c9a60',
    '5692f9d45dab43bc21862cbf591fda3d29985adc1897e94bee21e5b81827be0300f8f72d746e3c8444fcd2933d7c9923',
  ],
  [
    'CBC, beyond ASCII',
    one,
    's3cret pässwörd €',
    '7657dcb9f86c4b3316804327294c9a60',
    '683e04f32361c04f9b6ebd1fa5dbc5373c288d8ce24915017f9acf7eb959e3c5',
  ],
  [
    'CBC, one block',
    jwt,
    '4242',
    '4d27593ac0deddd5970b0c4106727f81',
    'db753fcab61432b78f28c9a19333948f',
  ],
  [
    'CTR',
    legacy,
    config,
    '3e52b4125796c2b8a4ac647d9a83df3c',
    'edcfddaaa600080d8ca9a659788c0c48a22896b5745519df2096f9b1904924bfbc131937291b85f4edc2b74e1a1a6e',
  ],
  ['CTR, short', legacy, '4242', '3e52b4125796c2b8a4ac647d9a83df3c', 'a2df88e8'],
  [
    'CBC, chosen IV',
    one,
    config,
    counted,
    '0d529bf000bac23b2cdba50862b7f14ab6aa7aaee62852291512dbec17d5dbb084afe3a01a3d29a97d0e53db6e4ddd6d',
  ],
  [
    'CTR, chosen IV',
    legacy,
    config,
    counted,
    '534889b3dd1adefa9c540af61d987e799828de6288c460383d1c918561016e2083bf51cae8371a27f4f10aa8bf7e1a',
  ],
] as const

describe('a secret box', () => {
  it.each(vectors)('decrypts what the platform encrypted: %s', (_, box, text, iv, content) => {
    expect(box.open(blob(iv, content))).toBe(text)
  })

  it('decrypts both modes, whichever it writes', () => {
    for (const text of ['', '4242', config, 'exactly 16 bytes', 'ä€😀']) {
      expect(one.open(legacy.seal(text))).toBe(text)
      expect(legacy.open(one.seal(text))).toBe(text)
    }
  })

  it('encrypts in the platform’s format, with a new nonce each time', () => {
    const sealed = one.seal(config)
    expect(sealed).toMatch(/^\{"iv":"[0-9a-f]{32}","content":"[0-9a-f]{96}"\}$/)
    expect(one.seal(config)).not.toBe(sealed)
    expect(legacy.seal('4242')).toMatch(/^\{"iv":"[0-9a-f]{32}","content":"[0-9a-f]{8}"\}$/)
  })

  it('returns undefined for another secret or an invalid text', () => {
    expect(jwt.open(one.seal(config))).toBeUndefined()
    const iv = '00'.repeat(16)
    for (const stored of [
      '',
      'x',
      'null',
      '1',
      '{}',
      '{"iv":1,"content":2}',
      blob('00', '00'),
      blob(iv, '0'),
    ])
      expect(one.open(stored)).toBeUndefined()
  })
})
