import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KINDS } from '@switchroom/config/kinds'
import { api } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { insertMany } from '../../server/src/db/insert-many.ts'
import { type TestApp, testApp } from '../../server/test/app.ts'
import { callLine, send, testStore } from '../../server/test/calls.ts'
import { createSampleData } from '../../server/test/sample-data.ts'
import type { Terminal } from '../src/terminal.ts'
import { testTerminal } from './terminal.ts'

/** Configuration as files, on the real server. */

const folder = mkdtempSync(join(tmpdir(), 'switchroom-config-'))
let t: TestApp
let url: string
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  await createSampleData(t)
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await t.close()
  rmSync(folder, { recursive: true, force: true })
})

const as = (who: string, more?: Partial<Terminal>, env: Record<string, string> = {}) =>
  testTerminal(
    { HOME: folder, SWITCHROOM_URL: url, SWITCHROOM_API_KEY: t.bearer[who] ?? who, ...env },
    more,
  )

let made = 0
/** A folder with these files. */
function filesWith(files: Record<string, string>) {
  const path = join(folder, `files-${++made}`)
  mkdirSync(path)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return path
}
const yamlIn = (path: string) => readdirSync(path).filter((name) => name.endsWith('.yaml'))
const textsIn = (path: string) =>
  Object.fromEntries(yamlIn(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]))
async function exported(who: string, ...flags: string[]) {
  const path = join(folder, `exported-${++made}`)
  const { code, err } = await as(who).run('export', path, ...flags)
  expect(err).toBe('')
  expect(code).toBe(0)
  return path
}
const writes = (sent: string[]) => sent.filter((one) => !/^GET |RouteSimulations/.test(one))

/** Values for the secrets of the sample data. */
const secretFor = (name: string) => {
  if (name.endsWith('SERVICE_KEY'))
    return JSON.stringify({ client_email: 'a@example.com', private_key: 'y' })
  return name.endsWith('OPS_SECRET') ? 'q'.repeat(32) : name.endsWith('DIGITS') ? '12' : 'secret-0'
}
const secretsOf = (texts: Record<string, string>) =>
  Object.fromEntries(
    [
      ...Object.values(texts)
        .join('\n')
        .matchAll(/env:(\w+)/g),
    ].map(([, name]) => [name!, secretFor(name!)]),
  )

describe('what is exported', () => {
  const owners: [string, string[]][] = [
    ['a1-key', []],
    ['sp1-key', []],
    ['sp1-key', ['--account', 'a1']],
    ['admin-key', ['--account', 'a1']],
    ['admin-key', ['--provider', 'one']],
    ['a1-viewer', []],
  ]
  it.each(owners)('changes nothing when it is applied: %s %j', async (who, flags) => {
    const path = await exported(who, ...flags)
    const planned = await as(who).run('plan', path, ...flags, '--check')
    expect(planned).toEqual({ code: 0, out: 'Nothing to change.\n', err: '' })
    const { run, sent } = as(who)
    expect((await run('apply', path, ...flags, '--delete', '--yes')).err).toBe('')
    expect(writes(sent)).toEqual([])
  })

  it('has every kind of thing, its schema for editors, and no secrets', async () => {
    const path = await exported('sp1-key')
    expect(yamlIn(path)).toEqual(KINDS.map(({ file }) => `${file}.yaml`).sort())
    for (const { file } of KINDS)
      expect(JSON.parse(readFileSync(join(path, '.schema', `${file}.json`), 'utf8')).title).toBe(
        file,
      )
    const text = JSON.stringify(textsIn(path))
    for (const secret of ['k'.repeat(32), '"secret"', 'private_key', 'password: p', '••'])
      expect(text).not.toContain(secret)
    expect(text).toContain('device_calling_application: ivr')
    expect(text).not.toMatch(/_sid|[\da-f]{8}-[\da-f]{4}-/)
  })

  it('is the same every time, and forgets what is gone', async () => {
    const path = await exported('a1-key')
    const before = textsIn(path)
    writeFileSync(join(path, 'clients.yaml'), '- username: gone\n')
    await as('a1-key').run('export', path)
    expect(textsIn(path)).toEqual(before)
    const empty = filesWith({ 'phone-numbers.yaml': '- number: "1"\n' })
    await as('b1-key').run('export', empty)
    expect(textsIn(empty)['phone-numbers.yaml']).toBe('[]\n')
  })

  it('fits the schemas for editors', async () => {
    const path = await exported('sp1-key')
    for (const { file } of KINDS) {
      const schema = z.fromJSONSchema(
        JSON.parse(readFileSync(join(path, '.schema', `${file}.json`), 'utf8')),
      )
      const items = parse(readFileSync(join(path, `${file}.yaml`), 'utf8')) as object[]
      expect(schema.safeParse(items).error, file).toBeUndefined()
      if (file !== 'speech-credentials')
        expect(schema.safeParse([{ ...items[0], colour: 1 }]).success, file).toBe(false)
    }
  })

  it('has no secrets that are within other texts', async () => {
    const { sid, who } = await newOwner('Discreet')
    const url = 'https://u:hidden-1@example.com/call?token=hidden-2'
    await t.as('sp1')(api.applications.create, {
      body: {
        ...{ name: 'app', account_sid: sid },
        call_hook: { url, method: 'POST' },
        call_status_hook: { url: `https://example.com/\${x}`, method: 'POST' },
        app_json: JSON.stringify([
          {
            verb: 'dial',
            target: [
              {
                type: 'sip',
                sipUri: 'sip:a@example.com',
                auth: { username: 'u', password: 'hidden-3' },
              },
            ],
          },
        ]),
      },
    })
    await t.as('sp1')(api.alertDestinations.create, {
      body: {
        account_sid: sid,
        name: 'chat',
        kind: 'slack',
        secret: 'https://hooks.slack.com/services/hidden-4',
      },
    })
    const path = await exported(who, '--account', 'Discreet')
    expect(JSON.stringify(textsIn(path))).not.toContain('hidden')
    expect(textsIn(path)['applications.yaml']).toContain('url: https://example.com/$${x}')
    const planned = await as(who).run('plan', path, '--account', 'Discreet')
    expect(planned).toMatchObject({ out: 'Nothing to change.\n', err: '' })
    // a list shows nothing of it, a single read does
    const same = { APPLICATIONS_APP_CALL_HOOK_URL: url }
    const known = await as(who, {}, same).run('plan', path, '--account', 'Discreet')
    expect(known.out).toBe('Nothing to change.\n')
    const other = { APPLICATIONS_APP_CALL_HOOK_URL: 'https://u:hidden-5@example.com/call' }
    const changed = await as(who, {}, other).run('plan', path, '--account', 'Discreet')
    expect(changed.out).toContain('    call_hook.url: (secret) → (secret)\n')
    const unseen = { ALERT_DESTINATIONS_CHAT_SECRET: 'https://hooks.slack.com/services/hidden-6' }
    const sent = await as(who, {}, unseen).run('plan', path, '--account', 'Discreet')
    expect(sent.out).toContain(
      'secret: (secret) → (secret, sent again: the server does not show it)\n',
    )
  })

  it('names what a provider shares, and its own first', async () => {
    const { sid, who } = await newOwner('Sharing')
    const create = (name: string, account_sid?: string) =>
      t.as('sp1')(api.voipCarriers.create, { body: { name, ...(account_sid && { account_sid }) } })
    await create('both', sid)
    const shared = [await create('shared'), await create('both')]
    for (const [i, carrier] of shared.entries())
      await t.as('sp1')(api.phoneNumbers.create, {
        body: { number: `493099${i}`, account_sid: sid, voip_carrier_sid: carrier.sid },
      })
    const path = await exported(who, '--account', 'Sharing')
    const numbers = textsIn(path)['phone-numbers.yaml']!
    expect(numbers).toContain('voip_carrier: shared\n')
    expect(numbers).toContain(`voip_carrier: ${shared[1]!.sid}\n`)
    expect(textsIn(path)['voip-carriers.yaml']).not.toContain('shared')
    expect((await as(who).run('plan', path, '--account', 'Sharing')).out).toBe(
      'Nothing to change.\n',
    )
  })

  it('keeps apart what has one name', async () => {
    const twins = await Promise.all(
      [1, 2].map(() => t.as('b1')(api.voipCarriers.create, { body: { name: 'twin' } })),
    )
    await t.as('b1')(api.phoneNumbers.create, {
      body: { number: '4930111', voip_carrier_sid: twins[1]!.sid },
    })
    const path = await exported('b1-key')
    expect(textsIn(path)['voip-carriers.yaml']).toContain(`sid: ${twins[0]!.sid}`)
    expect(textsIn(path)['phone-numbers.yaml']).toContain(`voip_carrier: ${twins[1]!.sid}`)
    expect((await as('b1-key').run('plan', path)).out).toBe('Nothing to change.\n')
  })
})

/** The account's things in files, without anything. */
const EMPTY = (name: string) => ({
  ...Object.fromEntries(
    KINDS.filter(({ id, isUpdateOnly }) => id && !isUpdateOnly).map(({ file }) => [
      `${file}.yaml`,
      '[]\n',
    ]),
  ),
  'accounts.yaml': `- name: ${name}\n`,
})

it('brings a whole account back, which calls as before', async () => {
  const original = textsIn(await exported('admin-key', '--account', 'a1'))
  const rename = (text: string) => text.replace(/\ba1\b/g, 'Acme').replace(/_A1_/g, '_ACME_')
  const files = Object.fromEntries(Object.entries(original).map(([n, text]) => [n, rename(text)]))
  const env = secretsOf(files)
  // what is there once cannot be there twice
  const emptied = await as('admin-key').run(
    ...['apply', filesWith(EMPTY('a1')), '--account', 'a1', '--delete', '--yes'],
  )
  expect(emptied.err).toBe('')
  expect(Object.keys(textsIn(await exported('admin-key', '--account', 'a1')))).toEqual([
    'accounts.yaml',
    'transcript-settings.yaml',
  ])

  const owner = ['--provider', 'one', '--account', 'Acme']
  const apply = async (path: string, ...flags: string[]) => {
    const ran = await as('admin-key', {}, env).run('apply', path, ...owner, ...flags)
    expect(ran.err).toBe('')
    expect(ran.code).toBe(0)
    return ran.out
  }
  const path = filesWith(files)
  const missing = await as('admin-key').run('plan', path, ...owner)
  expect(missing.code).toBe(2)
  expect(missing.err).toContain(
    'clients.yaml:4: nothing is stored yet. Set CLIENTS_C_PASSWORD in the environment',
  )
  expect(await apply(path)).toMatch(/^Made \d+ changes\.$/m)
  expect(existsSync(join(path, '.switchroom-apply'))).toBe(false)
  expect(textsIn(await exported('admin-key', ...owner))).toEqual(files)

  const calls = async () => {
    const { data } = await t.as('admin')(api.accounts.list, { query: { page: 1, name: 'Acme' } })
    const account_sid = data[0]!.account_sid
    const simulate = (number: string) =>
      t.as('admin')(api.routeSimulations.outbound, { body: { account_sid, number } })
    const inbound = await t.as('admin')(api.routeSimulations.inbound, {
      body: { account_sid, source: '10.3.3.4', number: '15550100' },
    })
    const outbound = [await simulate('442079460000'), await simulate('15550100')]
    return {
      account_sid,
      steps: [...outbound, inbound].map(({ outcome, steps }) => [outcome, steps]),
    }
  }
  const before = await calls()
  expect(before.steps.map(([outcome]) => outcome)).toEqual(['routed', 'routed', 'answered'])

  await apply(filesWith(EMPTY('Acme')), '--delete', '--yes')
  await t.as('admin')(api.accounts.remove, {
    params: { account_sid: before.account_sid },
    body: {},
  })
  const planned = await as('admin-key', {}, env).run('plan', path, ...owner)
  expect(planned.out).toMatch(/^\+ accounts Acme/m)
  expect(planned.out).not.toContain('secret-0')
  await apply(path)
  const after = await calls()
  expect(after.account_sid).not.toBe(before.account_sid)
  expect(after.steps).toEqual(before.steps)
  expect(textsIn(await exported('admin-key', ...owner))).toEqual(files)
  expect((await as('admin-key').run('plan', path, ...owner)).out).toBe('Nothing to change.\n')
})

const APP = (name: string) => `- name: ${name}
  call_hook:
    url: https://\${domain}/call
    method: POST
  call_status_hook:
    url: https://\${domain}/status
    method: POST
`
const FILES = {
  'accounts.yaml': `- name: \${account}
  device_calling_application: Front desk
`,
  'applications.yaml': APP('Front desk') + APP('Night'),
  'voip-carriers.yaml': `- name: North
  is_active: \${live}
  sip_gateways:
    - ipv4: 203.0.113.10
      inbound: true
      outbound: true
- name: South
  sip_gateways:
    - ipv4: 203.0.113.11
      inbound: true
      outbound: true
`,
  'lcrs.yaml': `- name: Outbound
  routes:
    - regex: ^44
      lcr_carrier_set_entries:
        - voip_carrier: North
        - voip_carrier: South
  default_carrier: South
`,
  'phone-numbers.yaml': `- number: "+\${prefix}1"
  voip_carrier: North
  application: Front desk
- number: \${prefix}2
  voip_carrier: North
  application: Night
  description: 'after hours $\${x}'
`,
}
/** An account of its own, and flags for it. */
async function newOwner(name: string, provider = 'sp1', prefix = `49${++made}77`) {
  const { sid } = await t.as(provider)(api.accounts.create, { body: { name } })
  const flags = [
    ...['--account', name, '--var', `account=${name}`, '--var', 'domain=example.com'],
    ...['--var', 'live=true', '--var', `prefix=${prefix}`],
  ]
  return { sid, who: `${provider}-key`, flags, prefix }
}

describe('files', () => {
  it('add what is missing, change what differs, and leave the rest', async () => {
    const { who, flags, prefix } = await newOwner('Written')
    const path = filesWith(FILES)
    const planned = await as(who).run('plan', path, ...flags)
    expect(planned.out).toContain('+ applications Front desk  applications.yaml:1\n')
    expect(planned.out).toContain(
      '~ accounts Written  accounts.yaml:1\n    device_calling_application: none → "Front desk"\n',
    )
    expect(planned.out).toContain('7 to add, 1 to change.\n')
    expect((await as(who).run('apply', path, ...flags)).out).toContain('Made 8 changes.\n')
    expect((await as(who).run('plan', path, ...flags)).out).toBe('Nothing to change.\n')
    const back = textsIn(await exported(who, '--account', 'Written'))
    expect(back['phone-numbers.yaml']).toContain(`- number: "${prefix}1"\n`)
    expect(back['phone-numbers.yaml']).toContain('description: after hours $${x}')

    writeFileSync(
      join(path, 'applications.yaml'),
      APP('Front desk').replace('/call', '/new') + APP('Night'),
    )
    const { out } = await as(who).run('plan', path, ...flags)
    expect(out).toBe(
      '~ applications Front desk  applications.yaml:1\n' +
        '    call_hook.url: "https://example.com/call" → "https://example.com/new"\n\n1 to change.\n',
    )
    const { run, sent } = as(who)
    await run('apply', path, ...flags)
    expect(writes(sent)).toEqual([expect.stringMatching(/^PUT \/Applications\//)])
    // a member that is left out is as usual again
    const carriers = FILES['voip-carriers.yaml'].replace(`  is_active: \${live}\n`, '')
    writeFileSync(join(path, 'voip-carriers.yaml'), carriers)
    const off = flags.map((flag) => (flag === 'live=true' ? 'live=false' : flag))
    expect((await as(who).run('apply', filesWith(FILES), ...off)).code).toBe(0)
    expect((await as(who).run('plan', path, ...flags)).out).toContain('is_active: false → true')
  })

  it('delete only when they are told to, and ask before', async () => {
    const { who, flags } = await newOwner('Shrinking')
    await as(who).run('apply', filesWith(FILES), ...flags)
    const path = filesWith({ 'phone-numbers.yaml': '[]' })
    const kept = await as(who).run('apply', path, ...flags)
    expect(kept.out).toMatch(/^Only with --delete:\n- phone-numbers /m)
    expect(kept.out).toContain('2 to delete.')
    const refused = await as(who).run('apply', path, ...flags, '--delete')
    expect(refused).toMatchObject({
      code: 2,
      err: 'error: This deletes 2 things. Add --yes to do that.\n',
    })
    const asked: string[] = []
    const answering = (answer: string) =>
      as(who, {
        isTerminal: true,
        answer: async (question) => {
          asked.push(question)
          return answer
        },
      })
    expect((await answering('no').run('apply', path, ...flags, '--delete')).code).toBe(2)
    expect((await as(who).run('plan', path, ...flags, '--check')).code).toBe(9)
    expect((await answering('yes').run('apply', path, ...flags, '--delete')).code).toBe(0)
    expect(asked).toEqual(['Delete 2 things? Type yes: ', 'Delete 2 things? Type yes: '])
    expect((await as(who).run('plan', path, ...flags)).out).toBe('Nothing to change.\n')
  })

  it('delete an account with what it refers to', async () => {
    const { who, flags } = await newOwner('Closing')
    await as(who).run('apply', filesWith(FILES), ...flags)
    const all = textsIn(await exported(who))
    const kept = Object.fromEntries(
      Object.entries(all).map(([name, text]) => {
        const items = parse(text) as { name?: string; account?: string }[]
        const own = name === 'accounts.yaml' ? 'name' : 'account'
        return [name, stringify(items.filter((item) => item[own] !== 'Closing'))]
      }),
    )
    const ran = await as(who).run('apply', filesWith(kept), '--delete', '--yes')
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toContain('8 to delete.')
    expect(textsIn(await exported(who))['accounts.yaml']).not.toContain('Closing')
  })

  it('add again what cannot be changed, with all that it needs', async () => {
    const { sid, who } = await newOwner('Replacing')
    await t.as('sp1')(api.alertDestinations.create, {
      body: { account_sid: sid, name: 'ops', kind: 'mail', address: 'a@example.com' },
    })
    const secret = 'k'.repeat(32)
    const path = filesWith({
      'alert-destinations.yaml':
        '- name: ops\n  kind: pagerduty\n  address: eu\n  secret: env:OPS?\n',
    })
    const flags = ['--account', 'Replacing']
    const missing = await as(who, {}, { OPS: '' }).run('apply', path, ...flags, '--delete', '--yes')
    expect(missing.err).toContain('alert-destinations.yaml:4: nothing is stored yet. Set OPS')
    const { run } = as(who, {}, { OPS: secret })
    expect((await run('apply', path, ...flags)).out).toContain('1 to delete and add again.\n')
    expect((await run('apply', path, ...flags, '--delete', '--yes')).out).toContain(
      'Made 1 change.',
    )
    expect((await as(who).run('plan', path, ...flags)).out).toBe('Nothing to change.\n')
  })

  it('do not delete what was changed meanwhile, or is gone', async () => {
    const { sid, who, flags } = await newOwner('Contested')
    await as(who).run('apply', filesWith(FILES), ...flags)
    const { data } = await t.as('sp1')(api.applications.ofAccount, {
      params: { account_sid: sid },
      query: { page: 1, filter: 'Night' },
    })
    const params = { application_sid: data[0]!.application_sid }
    const racing = (between: () => Promise<unknown>): typeof fetch => {
      let isDone = false
      return async (input, init) => {
        const request = new Request(input, init)
        const isRace = !isDone && request.url.includes(params.application_sid)
        if (isRace) {
          isDone = true
          await between()
        }
        return fetch(request)
      }
    }
    const path = filesWith({ 'applications.yaml': APP('Front desk'), 'phone-numbers.yaml': '[]' })
    const apply = (network: typeof fetch) =>
      as(who, { fetch: network }).run('apply', path, ...flags, '--delete', '--yes')
    const refused = await apply(
      racing(() => t.as('sp1')(api.applications.update, { params, body: { record_all_calls: 1 } })),
    )
    expect(refused).toMatchObject({ code: 6 })
    expect(refused.err).toContain('applications "Night" was changed meanwhile: record_all_calls')
    const gone = await apply(racing(() => t.as('sp1')(api.applications.remove, { params })))
    expect(gone).toMatchObject({ code: 0, err: '' })
    const used = filesWith({ 'voip-carriers.yaml': '[]' })
    const inUse = await as(who).run('apply', used, ...flags, '--delete', '--yes')
    expect(inUse.code).toBe(6)
    expect(inUse.err).toMatch(/^error: voip-carriers "(?:North|South)": .+\n {2}used by 1 /)
  })

  it('move numbers to other carriers and accounts', async () => {
    const { who, flags, prefix } = await newOwner('Moving')
    const path = filesWith(FILES)
    await as(who).run('apply', path, ...flags)
    const moved = FILES['phone-numbers.yaml'].replace('voip_carrier: North', 'voip_carrier: South')
    const { run, sent } = as(who)
    const { out } = await run('apply', filesWith({ 'phone-numbers.yaml': moved }), ...flags)
    expect(out).toContain('    voip_carrier: "North" → "South"\n\n1 to change.\n')
    expect(writes(sent)).toEqual(['PUT /PhoneNumbers'])
    const ofProvider = filesWith({
      'phone-numbers.yaml': `- number: "${prefix}1"\n  account: a2\n  description: moved\n`,
    })
    const planned = await as(who).run('plan', ofProvider)
    expect(planned.out).toContain(`± phone-numbers ${prefix}1 (a2)  phone-numbers.yaml:1`)
    writeFileSync(
      join(ofProvider, 'phone-numbers.yaml'),
      `- number: "${prefix}2"\n  voip_carrier: x\n  account: a2\n`,
    )
    await t.as('sp1')(api.voipCarriers.create, { body: { name: 'x' } })
    expect((await as(who).run('apply', ofProvider)).err).toBe('')
    const back = textsIn(await exported(who, '--account', 'a2'))
    expect(back['phone-numbers.yaml']).toContain(`- number: "${prefix}2"\n  voip_carrier: x\n`)
  })

  it('make two environments, each by its variables', async () => {
    const path = filesWith({
      ...FILES,
      'one.vars.yaml':
        'account: Staging\ndomain: staging.example.com\nlive: false\nprefix: 31201\n',
      'two.vars.yaml': 'account: Live\ndomain: live.example.com\nlive: true\nprefix: 31202\n',
    })
    await newOwner('Staging')
    await newOwner('Live', 'sp2')
    const apply = (who: string, vars: string, account: string) =>
      as(who).run('apply', path, '--vars', join(path, vars), '--account', account)
    expect((await apply('sp1-key', 'one.vars.yaml', 'Staging')).err).toBe('')
    expect((await apply('sp2-key', 'two.vars.yaml', 'Live')).err).toBe('')
    const [one, two] = [
      textsIn(await exported('sp1-key', '--account', 'Staging')),
      textsIn(await exported('sp2-key', '--account', 'Live')),
    ]
    expect(one['applications.yaml']).toContain('https://staging.example.com/call')
    expect(two['applications.yaml']).toContain('https://live.example.com/call')
    expect(one['voip-carriers.yaml']).toContain('is_active: false')
    expect(two['voip-carriers.yaml']).not.toContain('is_active: false')
    const wrong = await apply('sp1-key', 'two.vars.yaml', 'Staging')
    expect(wrong.err).toBe(
      'error: accounts.yaml:1: these files are applied to "Staging", not to "Live"\n',
    )
  })
})

/** A terminal whose network goes away once it has sent so many writes, before or after the last one arrived. */
function cut(who: string, after: number, arrives: boolean) {
  let count = 0
  let isAway = false
  const held: Request[] = []
  const network: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    if (isAway) throw new TypeError('fetch failed')
    const isWrite = request.method !== 'GET' && !request.url.includes('RouteSimulations')
    if (isWrite && ++count === after) {
      isAway = true
      if (arrives) await fetch(request)
      else held.push(request)
      throw new TypeError('fetch failed')
    }
    return fetch(request)
  }
  return { ...as(who, { fetch: network }), held }
}

describe('an application that is stopped', () => {
  it.each([1, 2, 4, 5, 6, 8].flatMap((n) => [[n, true] as const, [n, false] as const]))(
    'at change %i (arrived: %s) goes on when it is run again',
    async (after, arrives) => {
      const name = `Stopped ${after} ${arrives}`
      const { who, flags } = await newOwner(name)
      const path = filesWith(FILES)
      const stopped = await cut(who, after, arrives).run('apply', path, ...flags)
      expect(stopped.code).toBe(7)
      expect(existsSync(join(path, '.switchroom-apply'))).toBe(true)
      const again = await as(who).run('apply', path, ...flags)
      expect(again).toMatchObject({ code: 0, err: '' })
      expect((await as(who).run('plan', path, ...flags)).out).toBe('Nothing to change.\n')
      const back = textsIn(await exported(who, '--account', name))
      expect(back['voip-carriers.yaml']!.match(/- name/g)).toHaveLength(2)
    },
  )

  it('does not do twice what arrives late', async () => {
    const { who, flags } = await newOwner('Late')
    const path = filesWith(FILES)
    const first = cut(who, 3, false)
    await first.run('apply', path, ...flags)
    expect(first.held[0]!.url).toContain('VoipCarriers')
    const late: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      if (request.method === 'POST' && first.held.length > 0) await fetch(first.held.pop()!)
      return fetch(request)
    }
    expect((await as(who, { fetch: late }).run('apply', path, ...flags)).err).toBe('')
    const back = textsIn(await exported(who, '--account', 'Late'))
    expect(back['voip-carriers.yaml']!.match(/- name/g)).toHaveLength(2)
  })

  it('adds again what was deleted since', async () => {
    const { sid, who, flags } = await newOwner('Undone')
    const path = filesWith(FILES)
    await cut(who, 4, true).run('apply', path, ...flags)
    const { data } = await t.as('sp1')(api.voipCarriers.ofAccount, {
      params: { account_sid: sid },
      query: { page: 1 },
    })
    for (const { voip_carrier_sid } of data)
      await t.as('sp1')(api.voipCarriers.remove, { params: { voip_carrier_sid } })
    expect((await as(who).run('apply', path, ...flags)).err).toBe('')
    expect((await as(who).run('plan', path, ...flags)).out).toBe('Nothing to change.\n')
  })
})

describe('what was changed meanwhile', () => {
  /** Somebody changes the application before so many of its reads. */
  async function racing(name: string, isRace: (request: Request) => boolean) {
    const { sid, who, flags } = await newOwner(name)
    const path = filesWith(FILES)
    await as(who).run('apply', path, ...flags)
    const { data } = await t.as('sp1')(api.applications.ofAccount, {
      params: { account_sid: sid },
      query: { page: 1, filter: 'Night' },
    })
    const params = { application_sid: data[0]!.application_sid }
    writeFileSync(
      join(path, 'applications.yaml'),
      APP('Front desk') + APP('Night').replace('/status', '/s'),
    )
    let isDone = false
    const network: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      if (!isDone && request.url.includes(params.application_sid) && isRace(request)) {
        isDone = true
        await t.as('sp1')(api.applications.update, {
          params,
          body: { speech_synthesis_language: 'de-DE' },
        })
      }
      return fetch(request)
    }
    const ran = await as(who, { fetch: network }).run('apply', path, ...flags)
    return { ran, now: await t.as('sp1')(api.applications.view, { params }) }
  }

  it.each([
    ['before it is read', 'GET'],
    ['after it was read', 'PUT'],
  ])('%s is refused, with what it is', async (_, method) => {
    const { ran, now } = await racing(`Raced by ${method}`, (request) => request.method === method)
    expect(ran.code).toBe(6)
    expect(ran.err).toContain(
      'applications "Night" was changed meanwhile: speech_synthesis_language. Plan again',
    )
    expect(ran.err).toContain('0 of 1 changes are made.')
    expect(now.call_status_hook!.url).toBe('https://example.com/status')
  })
})

describe('tenants', () => {
  it('are not reached by sids or names of others', async () => {
    const foreign = await t.as('b1')(api.voipCarriers.create, { body: { name: 'theirs' } })
    const { who, flags } = await newOwner('Curious')
    const numbers = (carrier: string) =>
      filesWith({ 'phone-numbers.yaml': `- number: "4911"\n  voip_carrier: ${carrier}\n` })
    for (const carrier of [foreign.sid, 'theirs']) {
      const ran = await as(who).run('apply', numbers(carrier), ...flags)
      expect(ran).toMatchObject({
        code: 2,
        err: `error: phone-numbers.yaml:2: there is no "${carrier}" in voip-carriers\n`,
      })
    }
    const own = filesWith({ 'voip-carriers.yaml': `- name: x\n  sid: ${foreign.sid}\n` })
    expect((await as(who).run('plan', own, ...flags)).err).toBe(
      'error: voip-carriers.yaml:2: there is no such thing in voip-carriers\n',
    )
    const other = filesWith({ 'applications.yaml': `${APP('x')}  account: b1\n` })
    expect((await as('sp1-key').run('plan', other, '--var', 'domain=x.org')).err).toContain(
      'there is no "b1" in accounts',
    )
  })

  it('are only those of the key', async () => {
    const path = filesWith({ 'clients.yaml': '[]' })
    for (const flags of [
      ['--account', 'b1'],
      ['--account', t.sids.b1!],
      ['--account', 'a2'],
    ])
      for (const command of ['export', 'plan', 'apply']) {
        const ran = await as('a1-key').run(command, path, ...flags)
        expect([2, 5], `${command} ${flags}: ${ran.err}`).toContain(ran.code)
      }
    expect((await as('sp1-key').run('export', path, '--provider', 'two')).code).toBe(2)
    expect((await as('admin-key').run('export', path)).err).toContain('--account or --provider')
  })

  it('read with a view-only key, and change nothing', async () => {
    const path = filesWith({ 'clients.yaml': '- username: jane\n' })
    const planned = await as('a2-viewer').run('plan', path)
    expect(planned.out).toContain('+ clients jane')
    const ran = await as('a2-viewer').run('apply', path)
    expect(ran.code).toBe(4)
    expect(ran.err).toContain('clients.yaml:1: clients "jane"')
  })
})

describe('files with mistakes are refused with file and line', () => {
  const twice = '- username: a\n- username: b\n- username: a\n'
  const bomb = `- &a [x, x]\n${Array.from({ length: 20 }, (_, i) => `- &${'bcdefghijklmnopqrstuv'[i]} [*${'abcdefghijklmnopqrstu'[i]}, *${'abcdefghijklmnopqrstu'[i]}]\n`).join('')}`
  it.each([
    ['clients.yaml', twice, 'clients.yaml:3: a is there twice, first in clients.yaml:1'],
    ['clinets.yaml', '[]', 'clinets.yaml: Unknown kind. Known kinds: service-providers'],
    ['clients.yaml', '- username: a\n  colour: red\n', 'clients.yaml:2: there is no member colour'],
    [
      'voip-carriers.yaml',
      '- name: a\n  sip_gateways:\n    - ipv4: 10.1.1.1\n      inbound: true\n      outbound: true\n      color: 1\n',
      'voip-carriers.yaml:6: there is no member sip_gateways.0.color',
    ],
    ['clients.yaml', '- username: a\n  username: b\n', 'clients.yaml:2: Duplicate key'],
    [
      'clients.yaml',
      '- username: a b\n',
      'clients.yaml:1: username: The username cannot contain spaces',
    ],
    ['clients.yaml', '- username: a\n  is_active: maybe\n', 'clients.yaml:2: is_active: '],
    [
      'phone-numbers.yaml',
      '- number: "1"\n  application: none\n',
      'phone-numbers.yaml:2: there is no "none" in applications',
    ],
    [
      'phone-numbers.yaml',
      '- number: "1"\n  application_sid: none\n',
      'phone-numbers.yaml:2: there is no member application_sid',
    ],
    ['test-cases.yaml', '- name: a\n', 'test-cases.yaml:1: application is missing'],
    [
      'clients.yaml',
      `- username: \${who}\n`,
      'clients.yaml:1: Variable who is not set. Set it with --var or --vars',
    ],
    [
      'clients.yaml',
      '- username: a\n  password: env:NOWHERE\n',
      'clients.yaml:2: NOWHERE is not set in the environment',
    ],
    ['clients.yaml', 'username: a\n', 'clients.yaml:1: Expected a list'],
    ['clients.yaml', '# nothing\n', 'clients.yaml: Empty. Write [] if there are none'],
    ['clients.yaml', '[]\n---\n[]\n', 'clients.yaml:2: The file has several documents'],
    ['clients.yaml', '- a\n', 'clients.yaml:1: Expected an object with members such as name'],
    ['clients.yaml', '- username: "a\n', 'clients.yaml:'],
    ['clients.yaml', '- &a [*a]\n', 'clients.yaml:1: *a contains itself'],
    ['clients.yaml', bomb, 'clients.yaml:1: Too many aliases'],
    ['clients.yaml', '- a: 1\n- *typo\n', 'clients.yaml:2: No anchor &typo before *typo'],
    ['clients.yaml', `- ${'['.repeat(50_000)}`, 'clients.yaml:1: Nested too deeply'],
    [
      'clients.yaml',
      `- username: ${'a'.repeat(10_000_000)}`,
      'clients.yaml: The file is 10 MB; the limit is 8 MB',
    ],
  ])('%s %#', async (name, text, said) => {
    const ran = await as('a2-key').run('plan', filesWith({ [name]: text }))
    expect(ran.err).toContain(`error: ${said}`)
    expect(ran.err).not.toMatch(/\bat .*\.ts:|node_modules/)
    expect(ran).toMatchObject({ code: 2, out: '' })
  })

  it('as well what only the server knows', async () => {
    const path = filesWith({
      'applications.yaml': `${APP('x')}  app_json: '[{"verb":"no-such-verb"}]'\n`,
    })
    const ran = await as('a2-key').run('apply', path, '--var', 'domain=example.com')
    expect(ran.code).toBe(3)
    expect(ran.err).toContain('error: applications.yaml:8: applications "x": ')
    expect(ran.err).toContain('0 of 1 changes are made. Run it again to go on.')
  })

  it('or no files at all', async () => {
    expect((await as('a2-key').run('plan', join(folder, 'nowhere'))).code).toBe(2)
    expect((await as('a2-key').run('plan', filesWith({}))).err).toContain('has no files such as')
  })
})

describe('what goes without saying', () => {
  const hooks = {
    call_hook: { url: 'https://example.com/hook' },
    call_status_hook: { url: 'https://example.com/hook' },
  }
  it.each([
    ['accounts', api.accounts.create, { name: 'plain' }],
    ['applications', api.applications.create, { name: 'plain', ...hooks }],
    ['voip-carriers', api.voipCarriers.create, { name: 'plain' }],
    ['lcrs', api.lcrs.create, { name: 'plain' }],
    ['clients', api.clients.create, { username: 'plain' }],
    ['phone-numbers', api.phoneNumbers.create, { number: '4955501' }],
    ['ms-teams-tenants', api.msTeamsTenants.create, { tenant_fqdn: 'plain.example.com' }],
    [
      'alert-destinations',
      api.alertDestinations.create,
      { name: 'plain', kind: 'mail', address: 'a@example.com' },
    ],
  ] as const)('is not in %s', async (file, create, body) => {
    const isAccount = file === 'accounts'
    const { sid } = await newOwner(`Plain ${file}`, 'sp2')
    const owner = isAccount ? {} : { account_sid: sid }
    await t.as('sp2')(create, { body: { ...body, ...owner } as never })
    const flags = ['--account', isAccount ? 'plain' : `Plain ${file}`]
    const items = parse(textsIn(await exported('sp2-key', ...flags))[`${file}.yaml`]!)
    const method = { method: 'POST' }
    const said =
      file === 'applications'
        ? mapValues(body, (of) => (typeof of === 'string' ? of : { ...(of as object), ...method }))
        : body
    expect(items).toEqual([said])
  })
})
const mapValues = (of: object, map: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value)]))

it('plans a thousand numbers in a few round trips', async () => {
  const { sid, who, flags } = await newOwner('Thousand')
  const numbers = Array.from({ length: 1_000 }, (_, i) => `4960${1_000 + i}`)
  await insertMany(
    t.db,
    'phone_numbers',
    numbers.map((number) => ({ phone_number_sid: randomUUID(), number, account_sid: sid })),
  )
  const path = await exported(who, '--account', 'Thousand')
  const text = textsIn(path)['phone-numbers.yaml']!
  expect(text.match(/- number/g)).toHaveLength(1_000)
  const only = filesWith({
    'phone-numbers.yaml': text.replaceAll(/(number: "49601...")/g, '$1\n  description: x'),
  })
  const { run, sent } = as(who)
  const { out } = await run('plan', only, ...flags)
  expect(out).toContain('1000 to change.')
  expect(sent.filter((one) => one === 'GET /PhoneNumbers')).toHaveLength(1)
  expect(sent.length).toBeLessThan(14)
})

it('tells what a change of routes means for the calls of a day', async () => {
  const store = await testStore('embedded')
  const before = t.ctx.stores.calls
  t.ctx.stores.calls = store.calls
  try {
    const { sid, who, flags } = await newOwner('Calling')
    const path = filesWith(FILES)
    await as(who).run('apply', path, ...flags)
    const lines = ['442079460000', '442079460001', '33140000000'].map((to, i) =>
      callLine({
        ms: Date.now() - 3_600_000,
        ns: i,
        tags: {
          ...{ account_sid: sid, service_provider_sid: t.sids.sp1!, answered: 'true' },
          ...{
            direction: 'outbound',
            trunk: to.startsWith('44') ? 'North' : 'South',
            host: '10.0.0.1',
          },
        },
        fields: { call_sid: `call-${i}`, sip_callid: `sip-${i}@pbx`, from: '1', to },
      }),
    )
    expect(await send(store, lines.join('\n'))).toMatchObject({ status: 204 })
    writeFileSync(
      join(path, 'lcrs.yaml'),
      FILES['lcrs.yaml'].replace('        - voip_carrier: North\n', ''),
    )
    const { out } = await as(who).run('plan', path, ...flags)
    expect(out).toContain('routes.^44.lcr_carrier_set_entries.North: ')
    expect(out).toContain(
      'lcrs Outbound: of 3 calls of the last 24 hours 2 would leave by another carrier.\n',
    )
    const json = JSON.parse((await as(who).run('plan', path, ...flags, '--json')).out)
    expect(json.changes).toMatchObject([
      { action: 'update', kind: 'lcrs', file: 'lcrs.yaml', line: 1 },
    ])
    expect(json.meaning).toEqual([
      { kind: 'lcrs', name: 'Outbound', calls: 3, rerouted: 2, lost: 0, gained: 0 },
    ])
    const quiet = await as(who).run('plan', path, ...flags, '--no-meaning')
    expect(quiet.out).not.toContain('calls of the last')
  } finally {
    t.ctx.stores.calls = before
    await store.close()
  }
})
