import { randomUUID } from 'node:crypto'
import { api, type Endpoint } from '@switchroom/contract'
import { beginSession } from '../../src/http/sessions.ts'
import * as passkeys from '../../src/session/passkeys/queries.ts'
import { sendLogged } from '../../src/tenants/webhook-log/send-logged.ts'
import { PROOF, type TestApp } from '../app.ts'
import { addEvent } from '../events.ts'
import { addFailure } from '../failures.ts'
import {
  addRun,
  addScore,
  addSuite,
  newScoreCard,
  newSimulatedCaller,
  newTestCase,
} from '../kept-runs.ts'

/**
 * How each endpoint of the contract is called with success, for the tests that call them all. An endpoint without
 * its line does not compile.
 */
export type Line = {
  /** Sids for the path, of resources of account a1 (or provider sp1). */
  params?: (w: World) => Record<string, string>
  query?: (w: World) => Record<string, string>
  body?: (w: World) => object
  /** Who may call it. To all others, existing and missing resources must look the same. */
  reach: 'account' | 'shared' | 'provider' | 'admin' | 'signed-in' | 'public'
  /** The platform's own status for a resource out of scope, if it is not 404. */
  foreign?: number
  /** The status for an allowed caller, if it is not a success. */
  answers?: number
  /** Owners who may not call it: the platform allows only the account itself. */
  except?: readonly string[]
  /** Runs on a separate server, since it deletes or uses up resources that others need. */
  destroys?: true
  /** Runs on a separate server, since it changes the responses of others. */
  alone?: true
}
export type World = {
  sp: string
  account: string
  application: string
  /** It has ended. */
  run: string
  testCase: string
  simulatedCaller: string
  /** A suite whose run has ended. */
  suite: string
  carrier: string
  /** The provider's, for all of its accounts. */
  shared: string
  gateway: string
  smpp: string
  number: string
  client: string
  tenant: string
  table: string
  route: string
  entry: string
  defaultEntry: string
  /** An empty account of the same provider. */
  fresh: string
  user: string
  /** A session of that user. */
  session: string
  /** A passkey of that user. */
  passkey: string
  key: string
  template: string
  credential: string
  voice: string
  destination: string
  eventSubscription: string
  webhookRequest: string
  sbc: string
  smppAddress: string
  webhook: string
  trunkReportLink: string
  customerReportLink: string
  directory: string
  program: string
  /** Shared with that account. */
  savedView: string
  failure: string
  /** The provider's. */
  providerFailure: string
}

/** Number of addresses and numbers made so far, which must be unique. */
let made = 0
/** Fixed, so that two answers are the same. */
const WEEK = { start: '2026-11-01T00:00:00Z', end: '2026-11-08T00:00:00Z' }
const hook = { url: 'https://example.com/hook', method: 'POST' as const }
const account = { params: (w: World) => ({ account_sid: w.account }), reach: 'account' } as const
const provider = { params: (w: World) => ({ service_provider_sid: w.sp }) }
const application = {
  params: (w: World) => ({ application_sid: w.application }),
  reach: 'account',
} as const
const run = {
  params: (w: World) => ({ application_sid: w.application, run_sid: w.run }),
  reach: 'account',
} as const
const suite = {
  params: (w: World) => ({ application_sid: w.application, suite_sid: w.suite }),
  reach: 'account',
} as const
const testCase = {
  params: (w: World) => ({ application_sid: w.application, test_case_sid: w.testCase }),
  reach: 'account',
} as const
const simulatedCaller = {
  params: (w: World) => ({
    application_sid: w.application,
    simulated_caller_sid: w.simulatedCaller,
  }),
  reach: 'account',
} as const
const carrier = {
  params: (w: World) => ({ voip_carrier_sid: w.carrier }),
  reach: 'account',
} as const
const reported = { from: '2026-11-01', until: '2026-11-08' }
const newCustomerReportLink = () => ({ ...reported, label: 'Customer', days: 7 })
const newTrunkReportLink = () => ({ label: 'Carrier support', days: 7 })
const gateway = {
  params: (w: World) => ({ sip_gateway_sid: w.gateway }),
  reach: 'account',
} as const
const smpp = { params: (w: World) => ({ smpp_gateway_sid: w.smpp }), reach: 'account' } as const
const number = { params: (w: World) => ({ phone_number_sid: w.number }), reach: 'account' } as const
const client = { params: (w: World) => ({ client_sid: w.client }), reach: 'account' } as const
const tenant = {
  params: (w: World) => ({ ms_teams_tenant_sid: w.tenant }),
  reach: 'account',
} as const
const user = { params: (w: World) => ({ user_sid: w.user }), reach: 'account' } as const
const key = { params: (w: World) => ({ api_key_sid: w.key }), reach: 'account' } as const
const table = { params: (w: World) => ({ lcr_sid: w.table }), reach: 'account' } as const
const route = { params: (w: World) => ({ lcr_route_sid: w.route }), reach: 'account' } as const
const entry = {
  params: (w: World) => ({ lcr_carrier_set_entry_sid: w.entry }),
  reach: 'account',
} as const
const directory = {
  params: (w: World) => ({ directory_sid: w.directory }),
  reach: 'admin',
} as const
const destination = {
  params: (w: World) => ({ alert_destination_sid: w.destination }),
  reach: 'account',
} as const
const subscription = {
  params: (w: World) => ({ event_subscription_sid: w.eventSubscription }),
  reach: 'account',
} as const
const newSubscription = (account_sid: string) => ({
  ...{ name: 'Programs', url: 'https://example.com/events', account_sid },
})
const webhookRequest = {
  params: (w: World) => ({ webhook_request_sid: w.webhookRequest }),
  reach: 'account',
} as const
const newView = () => ({
  list: 'recent_calls' as const,
  name: randomUUID(),
  search: { filter: 'x' },
  view: { hidden: ['Email'] },
  is_shared: true,
})
const viewAlert = (destination: string) => ({
  comparison: 'more' as const,
  threshold: 20,
  minutes: 10,
  alert_destination_sids: [destination],
})
/** Reach of exactly one scope: not even those above reach it. */
const savedView = {
  params: (w: World) => ({ saved_view_sid: w.savedView }),
  reach: 'account',
  except: ['admin', 'sp1'],
} as const
const failure = { params: (w: World) => ({ failure_sid: w.failure }), reach: 'account' } as const
const newDestination = (account_sid: string) => ({
  name: 'Operations',
  kind: 'mail' as const,
  address: 'ops@example.com',
  account_sid,
})
const newRoute = (w: World) => ({
  regex: '^44',
  priority: 1,
  lcr_carrier_set_entries: [{ voip_carrier_sid: w.carrier }],
})
const newCarrier = () => ({ name: `carrier ${randomUUID().slice(0, 8)}` })
const newUser = (w: World) => {
  const name = randomUUID().slice(0, 8)
  return {
    name,
    email: `${name}@example.com`,
    initial_password: 'long enough 1',
    account_sid: w.account,
  }
}

// there are no calls and no feature server here: the rooms' own tests have them
const call = {
  params: (w: World) => ({ account_sid: w.account, call_sid: randomUUID() }),
  reach: 'account',
  answers: 404,
} as const
const hangUp = () => ({ call_status: 'completed' })

// there are no recordings here: their own room tests their owners
const which = (w: World) => ({
  call_sid: w.number,
  year: '2026',
  month: '01',
  day: '31',
  format: 'mp3',
})
const recorded = {
  params: (w: World) => ({ account_sid: w.account, ...which(w) }),
  reach: 'account',
  answers: 404,
} as const
const transcribed = {
  params: (w: World) => ({ account_sid: w.account, call_sid: which(w).call_sid }),
  reach: 'account',
  answers: 404,
} as const
const recordedBelow = {
  params: (w: World) => ({ service_provider_sid: w.sp, ...which(w) }),
  reach: 'provider',
  answers: 404,
} as const

const form = () => {
  const body = new FormData()
  body.append('file', new Blob(['a cloning key']), 'key.txt')
  return body
}
const voice = {
  params: (w: World) => ({ google_custom_voice_sid: w.voice }),
  reach: 'account',
} as const
/** Endpoints that exist for accounts and for providers. */
const credentialsBelow = (
  owner: (w: World) => Record<string, string>,
  shared: 'account' | 'shared',
) => {
  const one = {
    params: (w: World) => ({ ...owner(w), speech_credential_sid: w.credential }),
    reach: 'account',
  } as const
  return {
    list: { params: owner, reach: shared },
    create: {
      params: owner,
      reach: shared,
      foreign: 403,
      body: () => ({ vendor: 'soniox', api_key: 'x', use_for_stt: 1 }),
    },
    view: one,
    update: { ...one, body: () => ({ use_for_stt: 1 }) },
    remove: { ...one, destroys: true },
  } as const
}

const sentence = () => ({ text: 'hello', language: 'en-US', voice: 'en-US-Standard-C' })
/** Fails at the vendor: the credential's key is not valid. */
const trialsBelow = (owner: (w: World) => Record<string, string>) => {
  const one = {
    params: (w: World) => ({ ...owner(w), speech_credential_sid: w.credential }),
    reach: 'account',
  } as const
  return {
    test: one,
    speak: { ...one, answers: 502, body: sentence },
    recognise: {
      ...one,
      answers: 422,
      body: () => ({ wav: 'UklGRg==' }),
    },
  } as const
}

/** Lists, files and figures of calls, for all owners. */
const callsBelow = (owner: Pick<Line, 'params' | 'reach'>) => ({
  list: { ...owner, query: () => ({ page: '1', count: '25' }) },
  export: owner,
  figures: { ...owner, query: () => WEEK },
  anomalies: owner,
})

/** Lists of alerts. */
const alertsBelow = (owner: Pick<Line, 'params' | 'reach'>) => ({
  list: { ...owner, query: () => ({ page: '1', count: '25' }) },
  gathered: { ...owner, query: () => WEEK },
})

/** For accounts only. The path names no owner, so there is nothing foreign to name. */
const billed = { reach: 'signed-in', except: ['admin', 'sp1', 'sp1-key'] } as const

/** An import without rows, and an export of the rows that the caller sees. */
const file = (column: string) => ({
  import: { reach: 'signed-in', body: () => `${column}\r\n\r\n` as never } as const,
  export: { reach: 'signed-in' } as const,
})

const attestation = { clientDataJSON: 'e30', attestationObject: 'oA' }
const assertion = {
  id: 'AA',
  rawId: 'AA',
  type: 'public-key' as const,
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
}

const lines: { [G in keyof typeof api]: { [E in keyof (typeof api)[G]]: Line } } = {
  system: { capabilities: { reach: 'public' } },
  session: {
    login: { reach: 'public', answers: 403, body: () => ({ username: 'nobody', password: 'x' }) },
    logout: { reach: 'signed-in', destroys: true },
    renew: { reach: 'signed-in' },
    forgotPassword: { reach: 'public', body: () => ({ email: 'nobody@example.com' }) },
    signIn: { reach: 'public', answers: 403, body: () => ({ link: 'nothing' }) },
    changePassword: {
      reach: 'signed-in',
      answers: 400,
      body: () => ({ old_password: 'wrong', new_password: 'long enough 1' }),
    },
  },
  sessions: {
    list: { reach: 'signed-in' },
    // somebody else's
    end: { params: (w) => ({ session_sid: w.session }), reach: 'signed-in', answers: 404 },
    endOthers: { reach: 'signed-in', alone: true },
    // view-only users see no sessions but their own
    ofUser: { ...user, except: ['admin-viewer', 'sp1-viewer', 'a1-viewer'] },
    endOfUser: {
      params: (w) => ({ user_sid: w.user, session_sid: w.session }),
      reach: 'account',
      destroys: true,
    },
    endAllOfUser: { ...user, destroys: true },
  },
  programs: {
    list: { reach: 'admin' },
    create: {
      reach: 'admin',
      body: () => ({ name: 'Assistant', redirect_uris: ['https://assistant.example/callback'] }),
    },
    remove: { params: (w) => ({ program_sid: w.program }), reach: 'admin', destroys: true },
    // the browser that a program sends here is in the room's own tests
    request: { params: () => ({ request_id: 'none' }), reach: 'signed-in', answers: 404 },
    decide: {
      params: () => ({ request_id: 'none' }),
      reach: 'signed-in',
      answers: 404,
      body: () => ({ allow: 'read' }),
    },
  },
  // users here have no password and no factor: the rooms' own tests have them
  secondFactor: {
    view: { reach: 'signed-in' },
    beginTotp: { reach: 'signed-in', answers: 400, body: () => ({ password: 'wrong' }) },
    addTotp: { reach: 'signed-in', answers: 422, body: () => ({ code: '123456' }) },
    removeTotp: { reach: 'signed-in', answers: 404, body: () => ({ password: 'wrong' }) },
    newRecoveryCodes: { reach: 'signed-in', answers: 422, body: () => ({ password: 'wrong' }) },
    logIn: { reach: 'public', answers: 403, body: () => ({ ticket: 'none', code: '123456' }) },
    ofUser: user,
    reset: { ...user, body: () => PROOF },
    policy: { ...provider, reach: 'provider' },
    // to require one would end the callers' sessions
    savePolicy: {
      ...provider,
      reach: 'provider',
      body: () => ({ is_required: false }),
    },
    administratorPolicy: { reach: 'admin' },
    saveAdministratorPolicy: { reach: 'admin', body: () => ({ is_required: false }) },
  },
  passkeys: {
    beginAdd: { reach: 'signed-in', answers: 400, body: () => ({ password: 'wrong' }) },
    add: {
      reach: 'signed-in',
      answers: 400,
      body: () => ({ name: 'x', credential: { ...assertion, response: attestation } }),
    },
    rename: {
      // somebody else's
      params: (w) => ({ passkey_sid: w.passkey }),
      reach: 'signed-in',
      answers: 404,
      body: () => ({ name: 'x' }),
    },
    remove: {
      params: (w) => ({ passkey_sid: w.passkey }),
      reach: 'signed-in',
      answers: 404,
      body: () => ({ password: 'wrong' }),
    },
    beginProof: { reach: 'signed-in' },
    beginSecondStep: { reach: 'public', answers: 403, body: () => ({ ticket: 'none' }) },
    beginLogIn: { reach: 'public' },
    logIn: { reach: 'public', answers: 400, body: () => ({ passkey: assertion }) },
  },
  singleSignOn: {
    view: { reach: 'admin' },
    update: { reach: 'admin', body: () => ({ name: 'Acme' }) },
    check: { reach: 'admin', body: () => ({ issuer: 'https://127.0.0.1:9' }) },
    testRules: { reach: 'admin', body: () => ({ sample: '{"sub":"1"}' }) },
    // single sign-on is off
    authorize: { reach: 'public', answers: 403 },
    logIn: { reach: 'public', answers: 403, body: () => ({ code: 'x', state: 'y' }) },
    logOut: { reach: 'signed-in', destroys: true },
    backchannelLogout: { reach: 'public', answers: 400, body: () => ({ logout_token: 'x' }) },
  },
  registration: {
    // no payment provider is configured, and no payment is open
    authorize: { reach: 'public', answers: 400, body: () => ({ provider: 'google' }) },
    register: {
      reach: 'public',
      answers: 400,
      body: () => ({ provider: 'google', oauth2_code: 'x', oauth2_state: 'y' }),
    },
    sendCode: { reach: 'public', answers: 400, body: (w) => ({ user_sid: w.user, type: 'email' }) },
    checkCode: {
      params: () => ({ code: '000000' }),
      reach: 'public',
      answers: 400,
      body: (w) => ({ user_sid: w.user, type: 'email' }),
    },
    availability: {
      reach: 'signed-in',
      query: () => ({ type: 'subdomain', value: 'acme.sip.example.com' }),
    },
    addInviteCodes: { reach: 'admin', body: () => ({ count: 2 }) },
    useInviteCode: { reach: 'public', answers: 404, body: () => ({ code: 'AAAAAA' }) },
    accountTest: { ...provider, reach: 'public' },
  },
  users: {
    list: { reach: 'signed-in' },
    me: { reach: 'signed-in' },
    view: user,
    create: { reach: 'account', body: newUser, foreign: 400 },
    update: { ...user, body: () => ({ is_active: 1 }) },
    ...file('name'),
    updateMany: {
      reach: 'account',
      body: (w) => ({ select: { user_sids: [w.user] }, is_active: 1 }),
    },
    exportMany: { reach: 'account', body: (w) => ({ select: { user_sids: [w.user] } }) },
    removeMany: {
      reach: 'account',
      body: (w) => ({ select: { user_sids: [w.user] } }),
      destroys: true,
    },
    remove: { ...user, destroys: true },
  },
  directories: {
    list: { reach: 'admin' },
    create: { reach: 'admin', body: () => ({ name: 'Directory' }) },
    update: { ...directory, body: () => ({ name: 'Renamed' }) },
    replaceToken: directory,
    remove: { ...directory, destroys: true },
  },
  savedViews: {
    list: { reach: 'signed-in', query: () => ({ list: 'users' }) },
    create: { reach: 'signed-in', body: newView },
    update: { ...savedView, body: () => ({ name: randomUUID() }) },
    remove: { ...savedView, destroys: true },
  },
  preferences: {
    view: { reach: 'signed-in' },
    update: { reach: 'signed-in', body: () => ({ theme: 'dark' }) },
  },
  settings: {
    systemInformation: { reach: 'admin' },
    saveSystemInformation: { reach: 'admin', body: () => ({ log_level: 'info' }) },
    passwordSettings: { reach: 'signed-in' },
    savePasswordSettings: { reach: 'admin', body: () => ({ require_digit: 1 }) },
    savePasswordSettingsByPut: { reach: 'admin', body: () => ({ require_digit: 1 }) },
    ttsCache: { reach: 'admin' },
    clearTtsCache: { reach: 'admin' },
  },
  serviceProviders: {
    list: { reach: 'signed-in' },
    view: { ...provider, reach: 'shared' },
    create: { reach: 'admin', body: () => ({ name: `sp ${randomUUID().slice(0, 8)}` }) },
    update: { ...provider, reach: 'provider', body: () => ({ description: 'x' }) },
    remove: { ...provider, reach: 'admin', destroys: true },
  },
  brands: {
    own: { reach: 'signed-in' },
    view: { ...provider, reach: 'provider' },
    update: { ...provider, reach: 'provider', body: () => ({ name: 'Acme Voice' }) },
    logo: { params: () => ({ digest: '0'.repeat(64) }), reach: 'public', answers: 404 },
  },
  accounts: {
    list: { reach: 'signed-in' },
    ofServiceProvider: { ...provider, reach: 'shared' },
    view: account,
    create: {
      reach: 'provider',
      body: (w) => ({ name: randomUUID().slice(0, 8), service_provider_sid: w.sp }),
      foreign: 201,
    },
    update: { ...account, body: () => ({ record_format: 'wav' }), foreign: 403 },
    remove: {
      params: (w) => ({ account_sid: w.fresh }),
      reach: 'account',
      foreign: 403,
      destroys: true,
    },
    webhookSecret: account,
    setWebhookSecret: {
      ...account,
      body: () => ({ webhook_secret: 'wh_secret_1111111111111111111111' }),
    },
    import: {
      reach: 'provider',
      query: (w) => ({ service_provider_sid: w.sp }),
      body: () => 'name\r\n\r\n' as never,
      foreign: 201,
    },
    export: { reach: 'provider', foreign: 201 },
    setSipRealm: {
      params: (w) => ({ account_sid: w.account, sip_realm: 'sip.acme.example' }),
      reach: 'account',
      foreign: 403,
      alone: true,
    },
    testBucket: { ...account, foreign: 403, body: () => ({ vendor: 'none' }) },
    ttsCache: { ...account, foreign: 403 },
    clearTtsCache: { ...account, foreign: 403 },
    charges: { ...account, foreign: 403 },
  },
  subscriptions: {
    prices: { reach: 'signed-in' },
    view: { ...billed, answers: 404 },
    change: { ...billed, body: () => ({ action: 'downgrade-to-free' }) },
    upcomingInvoice: { ...billed, answers: 404 },
    pastInvoices: billed,
    // reads change nothing
    customer: { ...billed, except: [...billed.except, 'a1-viewer'], alone: true },
    removeCustomer: { ...billed, answers: 404 },
  },
  limits: {
    ofAccount: account,
    // accounts may only send stored values, which earlier callers in this test have set
    setForAccount: {
      ...account,
      body: () => ({ category: 'device', quantity: 1 }),
    },
    removeFromAccount: account,
    ofServiceProvider: { ...provider, reach: 'provider' },
    setForServiceProvider: {
      ...provider,
      reach: 'provider',
      body: () => ({ category: 'device', quantity: 1 }),
    },
    setForServiceProviderByPut: {
      ...provider,
      reach: 'provider',
      body: () => ({ category: 'device', quantity: 1 }),
    },
    removeFromServiceProvider: { ...provider, reach: 'provider' },
  },
  apiKeys: {
    list: { reach: 'admin' },
    view: key,
    update: { ...key, body: () => ({ name: 'x' }) },
    create: { reach: 'account', body: (w) => ({ account_sid: w.account }), foreign: 400 },
    rotate: { ...key, destroys: true },
    remove: { ...key, destroys: true },
    ofAccount: account,
    ofServiceProvider: { ...provider, reach: 'shared' },
  },
  clients: {
    list: { reach: 'signed-in' },
    ofServiceProvider: { ...provider, reach: 'shared' },
    ofAccount: account,
    view: client,
    ...file('username'),
    create: {
      reach: 'account',
      body: (w) => ({ username: randomUUID(), password: 'x', account_sid: w.account }),
      foreign: 400,
    },
    update: { ...client, body: () => ({ is_active: 1 }) },
    updateMany: {
      reach: 'account',
      body: (w) => ({ select: { client_sids: [w.client] }, is_active: 1 }),
    },
    exportMany: { reach: 'account', body: (w) => ({ select: { client_sids: [w.client] } }) },
    removeMany: {
      reach: 'account',
      body: (w) => ({ select: { client_sids: [w.client] } }),
      destroys: true,
    },
    remove: { ...client, destroys: true },
  },
  liveCalls: {
    list: { reach: 'signed-in' },
    create: {
      ...account,
      answers: 480,
      except: ['sp1', 'sp1-key'],
      body: (w) => ({
        from: '1',
        to: { type: 'phone', number: '2' },
        application_sid: w.application,
      }),
    },
    ofAccount: account,
    view: call,
    update: { ...call, body: hangUp },
    updateByPost: { ...call, body: hangUp },
    forget: call,
    count: account,
  },
  queues: { list: { reach: 'signed-in' }, ofAccount: account, conferencesOfAccount: account },
  registeredUsers: {
    list: { reach: 'signed-in' },
    ofAccount: { ...account, answers: 400 },
    find: { ...account, answers: 400, body: () => ['jane'] },
    view: {
      params: (w) => ({ account_sid: w.account, client: 'jane' }),
      reach: 'account',
      answers: 400,
    },
  },
  messages: {
    create: { ...account, answers: 480, body: () => ({ from: '1', to: '2', text: 'hello' }) },
  },
  messaging: {
    // no SMS carrier is configured
    receive: {
      params: () => ({ provider: 'none' }),
      reach: 'public',
      answers: 404,
      body: () => ({}),
    },
    send: { reach: 'public', answers: 500, body: () => ({ from: '1', to: '2', text: 'hello' }) },
  },
  applications: {
    list: { reach: 'signed-in' },
    ofAccount: account,
    ofServiceProvider: { ...provider, reach: 'shared' },
    view: application,
    ...file('name'),
    create: {
      reach: 'account',
      body: (w) => ({
        name: randomUUID().slice(0, 8),
        account_sid: w.account,
        call_hook: hook,
        call_status_hook: hook,
      }),
      foreign: 403,
    },
    update: { ...application, body: () => ({ record_all_calls: 1 }) },
    remove: { ...application, destroys: true },
  },
  runs: {
    list: application,
    begin: { ...application, body: () => ({ start: newTestCase().start }) },
    view: run,
    // the room's own tests have one that waits for an answer
    answer: { ...run, answers: 422, body: () => ({ question: 1, answer: { kind: 'nothing' } }) },
    stop: run,
  },
  testCases: {
    list: application,
    view: testCase,
    create: { ...application, body: () => newTestCase() },
    update: { ...testCase, body: () => ({ name: 'x' }) },
    remove: { ...testCase, destroys: true },
    run: testCase,
    runAll: application,
  },
  simulatedCallers: {
    list: application,
    view: simulatedCaller,
    create: { ...application, body: () => newSimulatedCaller() },
    update: { ...simulatedCaller, body: () => ({ name: 'x' }) },
    remove: { ...simulatedCaller, destroys: true },
    run: { ...simulatedCaller, body: () => ({ conversations: 1 }) },
  },
  scoreCards: {
    view: application,
    update: { ...application, body: () => newScoreCard() },
    state: application,
  },
  accountScores: {
    figures: { ...account, query: () => ({ days: '7' }) },
    view: { ...account, params: (w) => ({ account_sid: w.account, call_sid: randomUUID() }) },
  },
  providerScores: { figures: { ...provider, reach: 'provider', query: () => ({ days: '7' }) } },
  appEnv: {
    view: { reach: 'signed-in', query: () => ({ url: 'http://127.0.0.1/' }) },
    check: { reach: 'signed-in', query: () => ({ url: 'http://127.0.0.1/' }) },
  },
  webhooks: {
    create: { reach: 'signed-in', body: () => hook },
    view: { params: (w) => ({ webhook_sid: w.webhook }), reach: 'admin' },
  },
  accountRecentCalls: callsBelow(account),
  providerRecentCalls: callsBelow({ ...provider, reach: 'provider' }),
  recentCalls: {
    ...callsBelow({ reach: 'admin' }),
    view: { params: () => ({ call_id: randomUUID() }), reach: 'account', answers: 404 },
  },
  accountAlerts: alertsBelow({ ...account }),
  providerAlerts: alertsBelow({ ...provider, reach: 'shared' }),
  alerts: alertsBelow({ reach: 'admin' }),
  alertDestinations: {
    list: { reach: 'signed-in' },
    view: destination,
    create: { reach: 'account', body: (w) => newDestination(w.account), foreign: 400 },
    update: { ...destination, body: () => ({ name: 'x' }) },
    test: destination,
    remove: { ...destination, destroys: true },
  },
  events: { list: { reach: 'signed-in' } },
  eventSubscriptions: {
    list: { reach: 'signed-in' },
    view: subscription,
    create: { reach: 'account', body: (w) => newSubscription(w.account), foreign: 400 },
    update: { ...subscription, body: () => ({ name: 'x' }) },
    rotate: { ...subscription, body: () => ({ overlap_hours: 1 }) },
    test: subscription,
    deliveries: subscription,
    replay: { ...subscription, body: () => ({ from: WEEK.start, to: WEEK.end }) },
    remove: { ...subscription, destroys: true },
  },
  failures: {
    list: { reach: 'signed-in' },
    view: failure,
    fix: failure,
    update: { ...failure, body: () => ({ state: 'muted' }) },
  },
  thingVerdicts: {
    list: { reach: 'account', query: (w) => ({ kind: 'account', sids: w.account }) },
  },
  accountIssues: {
    list: account,
    count: account,
    mark: { ...account, body: () => ({ kind: 'alert', key: 'no-tts', state: 'resolved' }) },
  },
  providerIssues: {
    list: { ...provider, reach: 'shared' },
    count: { ...provider, reach: 'shared' },
    mark: {
      ...{ ...provider, reach: 'shared' },
      body: (w) => ({ account_sid: w.account, kind: 'alert', key: 'no-tts', state: 'resolved' }),
    },
  },
  viewAlerts: {
    list: { reach: 'signed-in', query: () => ({ list: 'recent_calls' }) },
    set: { ...savedView, body: (w) => viewAlert(w.destination) },
    remove: { ...savedView, destroys: true },
  },
  webhookRequests: {
    list: { reach: 'signed-in' },
    view: webhookRequest,
    resend: webhookRequest,
    test: { ...application, body: () => ({ hook: 'call_hook', payload: { call_status: 'x' } }) },
  },
  accountSpeechCredentials: credentialsBelow((w) => ({ account_sid: w.account }), 'account'),
  providerSpeechCredentials: credentialsBelow((w) => ({ service_provider_sid: w.sp }), 'shared'),
  accountSpeechTrials: {
    ...trialsBelow((w) => ({ account_sid: w.account })),
    synthesise: {
      ...account,
      foreign: 403,
      answers: 502,
      body: (w) => ({ ...sentence(), speech_credential_sid: w.credential }),
    },
    synthesiseAnywhere: {
      reach: 'admin',
      answers: 502,
      body: (w) => ({
        ...sentence(),
        account_sid: w.account,
        speech_credential_sid: w.credential,
      }),
    },
  },
  providerSpeechTrials: trialsBelow((w) => ({ service_provider_sid: w.sp })),
  googleCustomVoices: {
    list: { reach: 'account', query: (w) => ({ speech_credential_sid: w.credential }) },
    view: voice,
    create: {
      reach: 'account',
      body: (w) => ({ speech_credential_sid: w.credential, name: 'x', model: 'y' }),
      foreign: 400,
    },
    update: { ...voice, body: () => ({ name: 'z' }) },
    remove: { ...voice, destroys: true },
    uploadKey: { ...voice, body: form },
  },
  speechCatalogues: {
    ofAccount: { ...account, query: () => ({ vendor: 'google' }) },
    ofServiceProvider: { ...provider, reach: 'shared', query: () => ({ vendor: 'google' }) },
  },
  voipCarriers: {
    list: { reach: 'signed-in' },
    ofServiceProvider: { ...provider, reach: 'shared' },
    ofAccount: account,
    view: carrier,
    create: {
      reach: 'account',
      body: (w) => ({ ...newCarrier(), account_sid: w.account }),
      foreign: 400,
    },
    createForServiceProvider: { ...provider, reach: 'provider', body: newCarrier },
    createForAccount: { ...account, body: newCarrier },
    update: { ...carrier, body: () => ({ description: 'x' }) },
    updateOfServiceProvider: {
      params: (w) => ({ service_provider_sid: w.sp, voip_carrier_sid: w.carrier }),
      reach: 'provider',
      body: () => ({ description: 'x' }),
    },
    updateOfAccount: {
      params: (w) => ({ account_sid: w.account, voip_carrier_sid: w.carrier }),
      reach: 'account',
      body: () => ({ description: 'x' }),
    },
    ...file('name'),
    updateMany: {
      reach: 'account',
      body: (w) => ({ select: { voip_carrier_sids: [w.carrier] }, is_active: 1 }),
    },
    exportMany: {
      reach: 'account',
      body: (w) => ({ select: { voip_carrier_sids: [w.carrier] } }),
    },
    usesOfMany: {
      reach: 'account',
      body: (w) => ({ select: { voip_carrier_sids: [w.carrier] } }),
    },
    removeMany: {
      reach: 'account',
      body: (w) => ({ select: { voip_carrier_sids: [w.carrier] } }),
      destroys: true,
    },
    remove: { ...carrier, destroys: true },
  },
  predefinedCarriers: {
    list: { reach: 'public' },
    addToAccount: {
      params: (w) => ({ account_sid: w.account, predefined_carrier_sid: w.template }),
      reach: 'account',
    },
    addToServiceProvider: {
      params: (w) => ({ service_provider_sid: w.sp, predefined_carrier_sid: w.template }),
      reach: 'provider',
    },
  },
  sipGateways: {
    list: { reach: 'account', query: (w) => ({ voip_carrier_sid: w.carrier }), foreign: 400 },
    view: gateway,
    create: {
      reach: 'account',
      body: (w) => ({
        ipv4: `10.1.${(++made >> 8) % 256}.${made % 256}`,
        inbound: 1,
        outbound: 1,
        voip_carrier_sid: w.carrier,
      }),
      foreign: 400,
    },
    update: { ...gateway, body: () => ({ is_active: 1 }), foreign: 400 },
    remove: { ...gateway, foreign: 400, destroys: true },
  },
  smppGateways: {
    list: { reach: 'account', query: (w) => ({ voip_carrier_sid: w.carrier }), foreign: 400 },
    view: smpp,
    create: {
      reach: 'account',
      body: (w) => ({
        ipv4: `10.1.${(++made >> 8) % 256}.${made % 256}`,
        voip_carrier_sid: w.carrier,
      }),
      foreign: 400,
    },
    update: { ...smpp, body: () => ({ use_tls: 1 }), foreign: 400 },
    remove: { ...smpp, foreign: 400, destroys: true },
  },
  signallingAddresses: {
    sbcs: { reach: 'shared', query: (w) => ({ service_provider_sid: w.sp }) },
    smpps: { reach: 'shared', query: (w) => ({ service_provider_sid: w.sp }) },
    addSbc: { reach: 'admin', body: () => ({ ipv4: '198.51.100.9' }) },
    removeSbc: { params: (w) => ({ sbc_address_sid: w.sbc }), reach: 'admin', destroys: true },
    addSmpp: { reach: 'admin', body: () => ({ ipv4: '198.51.100.9' }) },
    removeSmpp: {
      params: (w) => ({ smpp_address_sid: w.smppAddress }),
      reach: 'admin',
      destroys: true,
    },
  },
  gatewayProbes: { probe: gateway, ofCarrier: carrier },
  carrierHealth: {
    list: { reach: 'account', query: (w) => ({ voip_carrier_sids: w.carrier }) },
    view: carrier,
    troubles: { reach: 'signed-in' },
  },
  trunkReportLinks: {
    list: carrier,
    create: { ...carrier, body: newTrunkReportLink },
    revoke: {
      params: (w) => ({ trunk_report_link_sid: w.trunkReportLink }),
      reach: 'account',
      destroys: true,
    },
  },
  trunkReport: { view: { reach: 'public', answers: 404, body: () => ({ token: 'x' }) } },
  customerReports: {
    view: { ...account, query: () => reported },
    calls: { ...account, query: () => ({ ...reported, page: '1', count: '25' }) },
    export: { ...account, query: () => reported },
    links: account,
    createLink: { ...account, body: newCustomerReportLink },
    revokeLink: {
      params: (w) => ({ customer_report_link_sid: w.customerReportLink }),
      reach: 'account',
      destroys: true,
    },
    mail: account,
    updateMail: { ...account, body: () => ({ recipients: ['jane@example.com'] }) },
    sendMail: account,
  },
  sharedReports: {
    view: { reach: 'public', answers: 404, body: () => ({ token: 'x' }) },
    calls: { reach: 'public', answers: 404, body: () => ({ token: 'x', page: 1, count: 25 }) },
    export: { reach: 'public', answers: 404, body: () => ({ token: 'x' }) },
    unsubscribe: { reach: 'public', answers: 404, body: () => ({ token: 'x' }) },
  },
  phoneNumbers: {
    list: { reach: 'signed-in' },
    ofServiceProvider: { ...provider, reach: 'shared' },
    view: number,
    create: {
      reach: 'account',
      body: (w) => ({
        number: String(100_000_000_000 + ++made),
        account_sid: w.account,
        voip_carrier_sid: w.carrier,
      }),
      foreign: 400,
    },
    update: { ...number, body: () => ({ application_sid: null }) },
    updateMany: {
      reach: 'account',
      body: (w) => ({ select: { phone_number_sids: [w.number] }, application_sid: null }),
    },
    exportMany: {
      reach: 'account',
      body: (w) => ({ select: { phone_number_sids: [w.number] } }),
    },
    ...file('number'),
    removeMany: {
      reach: 'account',
      body: (w) => ({ select: { phone_number_sids: [w.number] } }),
      destroys: true,
    },
    remove: { ...number, destroys: true },
  },
  routeSimulations: {
    outbound: {
      reach: 'account',
      body: (w) => ({
        account_sid: w.account,
        number: '15005550100',
        lcr: {
          routes: [
            {
              regex: '^1',
              priority: 1,
              lcr_carrier_set_entries: [{ voip_carrier_sid: w.carrier }],
            },
          ],
        },
      }),
      foreign: 400,
    },
    inbound: {
      reach: 'account',
      body: (w) => ({ account_sid: w.account, source: '10.2.3.4', number: '15005550100' }),
      foreign: 400,
    },
    replay: {
      reach: 'account',
      body: (w) => ({
        lcr: {
          lcr_sid: w.table,
          routes: [
            {
              regex: '^1',
              priority: 1,
              lcr_carrier_set_entries: [{ voip_carrier_sid: w.carrier }],
            },
          ],
        },
        carrier: {
          voip_carrier_sid: w.carrier,
          sip_gateways: [{ sip_gateway_sid: w.gateway, outbound: 1, is_active: 1 }],
        },
      }),
    },
  },
  audit: {
    list: { reach: 'signed-in' },
    state: {
      reach: 'account',
      query: (w) => ({ kind: 'application', sid: w.application, at: '2026-01-31T00:00:00Z' }),
    },
    export: { reach: 'signed-in' },
  },
  // no folder for backups is set
  backups: { view: { reach: 'admin' }, make: { reach: 'admin', answers: 400 } },
  systemHealth: {
    view: { reach: 'admin' },
    check: { reach: 'admin' },
    turns: { reach: 'admin' },
  },
  doctor: { run: { reach: 'admin' } },
  // results are within each caller's scope: the search's own tests check that
  search: {
    find: { reach: 'signed-in', query: () => ({ q: 'a' }) },
    number: { reach: 'signed-in', query: () => ({ number: '15005550100' }) },
  },
  customers: {
    create: {
      reach: 'provider',
      body: (w) => ({ service_provider_sid: w.sp, name: randomUUID().slice(0, 8) }),
      foreign: 201,
    },
  },
  gettingStarted: {
    connect: {
      reach: 'admin',
      body: () => ({
        mysql_host: '127.0.0.1',
        mysql_port: 9,
        mysql_user: 'u',
        mysql_password: 'p',
        mysql_database: 'd',
        redis_host: '127.0.0.1',
        redis_port: 9,
        jwt_secret: 'a secret of the platform',
      }),
    },
    view: { reach: 'signed-in', query: (w) => ({ service_provider_sid: w.sp }) },
    call: {
      reach: 'signed-in',
      query: (w) => ({ service_provider_sid: w.sp, since: '2026-01-31T00:00:00Z' }),
    },
  },
  // the same for names
  names: { list: { reach: 'signed-in', query: (w) => ({ sids: w.application }) } },
  // there is no such change: the room tests who may undo what
  undo: {
    change: { reach: 'signed-in', body: () => ({ first: 2e9, last: 2e9 }), answers: 404 },
  },
  uses: {
    view: {
      params: (w) => ({ kind: 'application', sid: w.application }),
      reach: 'account',
    },
  },
  // there are no records here: the rooms of traces, conversations and logs test their owners
  traces: {
    ofAccount: {
      ...account,
      params: (w) => ({ account_sid: w.account, trace_id: 'a'.repeat(32) }),
      answers: 404,
    },
    ofServiceProvider: {
      params: (w) => ({ service_provider_sid: w.sp, trace_id: 'a'.repeat(32) }),
      reach: 'provider',
      answers: 404,
    },
  },
  accountVoice: { figures: { ...account, query: () => WEEK } },
  providerVoice: { figures: { ...provider, reach: 'provider', query: () => WEEK } },
  accountModelFigures: { figures: { ...account, query: () => WEEK } },
  providerModelFigures: { figures: { ...provider, reach: 'provider', query: () => WEEK } },
  conversations: {
    ofAccount: {
      ...account,
      params: (w) => ({ account_sid: w.account, trace_id: 'a'.repeat(32) }),
      answers: 404,
    },
    ofServiceProvider: {
      params: (w) => ({ service_provider_sid: w.sp, trace_id: 'a'.repeat(32) }),
      reach: 'provider',
      answers: 404,
    },
  },
  callCases: {
    view: {
      ...account,
      params: (w) => ({ account_sid: w.account, trace_id: 'a'.repeat(32) }),
      answers: 404,
    },
  },
  languageModel: {
    view: account,
    update: {
      ...account,
      body: () => ({ url: 'http://127.0.0.1:9/v1', model: 'm', api_key: 'k' }),
    },
    test: account,
  },
  suites: {
    list: application,
    // there are no traces here: the room's own tests begin some
    begin: {
      ...application,
      body: () => ({ start: WEEK.start, end: WEEK.end }),
      answers: 422,
    },
    view: suite,
    stop: suite,
  },
  modelSessions: {
    view: account,
    update: { ...account, body: () => ({ currency: 'USD', prices: [] }) },
    refused: account,
    rotateSecret: account,
    removeSecret: { ...account, destroys: true },
  },
  transcriptSettings: {
    view: account,
    update: {
      ...account,
      body: (w) => ({
        words: 'mask',
        automatic: { speech_credential_sid: w.credential, language: 'en-US', minutes_a_day: 60 },
      }),
    },
  },
  captures: {
    ofAccount: {
      ...account,
      params: (w) => ({ account_sid: w.account, call_id: w.gateway }),
      answers: 404,
    },
    pcapOfAccount: {
      ...account,
      params: (w) => ({ account_sid: w.account, call_id: w.gateway, method: 'register' }),
      answers: 404,
    },
    sipOfAccount: {
      ...account,
      params: (w) => ({ account_sid: w.account, call_id: w.gateway }),
      answers: 404,
    },
    ofServiceProvider: {
      params: (w) => ({ service_provider_sid: w.sp, call_id: w.gateway }),
      reach: 'provider',
      answers: 404,
    },
    pcapOfServiceProvider: {
      params: (w) => ({ service_provider_sid: w.sp, call_id: w.gateway, method: 'register' }),
      reach: 'provider',
      answers: 404,
    },
    sipOfServiceProvider: {
      params: (w) => ({ service_provider_sid: w.sp, call_id: w.gateway }),
      reach: 'provider',
      answers: 404,
    },
  },
  callLogs: {
    ofAccount: {
      ...account,
      params: (w) => ({ account_sid: w.account, call_sid: w.number }),
      answers: 400,
    },
    ofServiceProvider: {
      params: (w) => ({ service_provider_sid: w.sp, call_sid: w.number }),
      reach: 'provider',
      answers: 400,
    },
  },
  recordings: {
    ofAccount: recorded,
    removeOfAccount: recorded,
    ofServiceProvider: recordedBelow,
    removeOfServiceProvider: recordedBelow,
  },
  transcriptions: {
    view: transcribed,
    plan: transcribed,
    start: {
      ...transcribed,
      body: (w) => ({ speech_credential_sid: w.credential, language: null }),
    },
    remove: transcribed,
  },
  msTeamsTenants: {
    list: { reach: 'signed-in' },
    view: tenant,
    create: {
      reach: 'account',
      body: (w) => ({ tenant_fqdn: `${randomUUID()}.example.com`, account_sid: w.account }),
      foreign: 400,
    },
    update: { ...tenant, body: () => ({ application_sid: null }) },
    remove: { ...tenant, destroys: true },
  },
  lcrs: {
    list: { reach: 'signed-in' },
    view: table,
    create: {
      reach: 'account',
      body: (w) => ({ name: 'x', account_sid: w.fresh }),
      foreign: 400,
      destroys: true,
    },
    update: {
      ...table,
      body: (w) => ({ name: 'x', routes: [newRoute(w)], default_carrier: w.carrier }),
      alone: true,
    },
    remove: { ...table, destroys: true },
    addRoutes: { ...table, body: (w) => [newRoute(w)], alone: true },
    importRoutes: { ...table, body: () => 'pattern\r\n\r\n' as never },
    exportRoutes: table,
    saveRoutes: { ...table, body: (w) => [newRoute(w)], alone: true },
  },
  lcrRoutes: {
    list: { reach: 'account', query: (w) => ({ lcr_sid: w.table }), foreign: 400 },
    view: route,
    create: {
      reach: 'account',
      body: (w) => ({ lcr_sid: w.table, regex: '^1', priority: 2 }),
      foreign: 400,
    },
    update: { ...route, body: () => ({ description: 'x' }) },
    remove: { ...route, destroys: true },
  },
  lcrCarrierSetEntries: {
    list: { reach: 'account', query: (w) => ({ lcr_route_sid: w.route }), foreign: 400 },
    view: entry,
    create: {
      reach: 'account',
      body: (w) => ({ lcr_route_sid: w.route, voip_carrier_sid: w.carrier }),
      foreign: 400,
    },
    update: { ...entry, body: () => ({ priority: 1 }) },
    remove: { ...entry, destroys: true },
  },
}

/** A resource of every kind, created by this account through the API. */
export async function createWorld(t: TestApp, account: 'a1' | 'a2' | 'b1' = 'a1'): Promise<World> {
  const provider = account === 'b1' ? 'sp2' : 'sp1'
  const own = { account: t.sids[account], sp: t.sids[provider] }
  const as = t.as(account)
  const { sid: application } = await as(api.applications.create, {
    body: { name: randomUUID().slice(0, 8), call_hook: hook, call_status_hook: hook },
  })
  const run = await addRun(t.db, { application_sid: application, account_sid: own.account })
  await as(api.scoreCards.update, {
    params: { application_sid: application },
    body: newScoreCard(),
  })
  await addScore(t.db, { application_sid: application, account_sid: own.account })
  const suite = await addSuite(t.db, {
    application_sid: application,
    account_sid: own.account,
    run_sid: run,
  })
  const { sid: testCase } = await as(api.testCases.create, {
    params: { application_sid: application },
    body: newTestCase(),
  })
  await as(api.modelSessions.rotateSecret, { params: { account_sid: own.account } })
  await as(api.languageModel.update, {
    params: { account_sid: own.account },
    body: { url: 'http://127.0.0.1:9/v1', model: 'm', api_key: 'k' },
  })
  const { sid: simulatedCaller } = await as(api.simulatedCallers.create, {
    params: { application_sid: application },
    body: newSimulatedCaller(),
  })
  const { sid: carrier } = await as(api.voipCarriers.create, { body: { name: 'trunk' } })
  const { sid: shared } = await t.as(provider)(api.voipCarriers.create, { body: newCarrier() })
  const { sid: gateway } = await as(api.sipGateways.create, {
    body: { ipv4: '10.2.3.4', inbound: 1, outbound: 1, voip_carrier_sid: carrier },
  })
  const { sid: smpp } = await as(api.smppGateways.create, {
    body: { ipv4: '10.2.3.5', voip_carrier_sid: carrier },
  })
  const digits = String(100_000_000_000 + ++made)
  const { sid: number } = await as(api.phoneNumbers.create, { body: { number: digits } })
  const { sid: client } = await as(api.clients.create, { body: { username: randomUUID() } })
  const { sid: tenant } = await as(api.msTeamsTenants.create, {
    body: { tenant_fqdn: `${randomUUID()}.example.com` },
  })
  const { sid: table } = await as(api.lcrs.create, {
    body: {
      name: 'outbound',
      routes: [{ regex: '^44', lcr_carrier_set_entries: [{ voip_carrier_sid: shared }] }],
      default_carrier: shared,
    },
  })
  const { routes, default_carrier_set_entry_sid } = await as(api.lcrs.view, {
    params: { lcr_sid: table },
  })
  const { sid: fresh } = await t.as(provider)(api.accounts.create, {
    body: { name: randomUUID().slice(0, 8), service_provider_sid: own.sp },
  })
  const { user_sid } = await as(api.users.create, {
    body: newUser({ account: own.account } as World),
  })
  const session_sid = randomUUID()
  await beginSession(
    t.ctx,
    {
      scope: 'account',
      user_sid,
      permissions: [],
      is_view_only: false,
      force_change: false,
      account_sid: own.account,
    },
    { method: 'password', meta: { ip: '192.0.2.1' }, session_sid },
  )
  const passkey_sid = randomUUID()
  await passkeys.insert(t.db, {
    passkey_sid,
    user_sid,
    name: 'key',
    credential_id: randomUUID(),
    public_key: 'key',
    counter: 0,
    transports: '',
    created_at: new Date().toISOString(),
  })
  const { sid: key } = await as(api.apiKeys.create, { body: { account_sid: own.account } })
  const [template] = await as(api.predefinedCarriers.list, {})
  const { sid: credential } = await as(api.accountSpeechCredentials.create, {
    params: { account_sid: own.account },
    body: {
      vendor: 'google',
      use_for_stt: 1,
      service_key: JSON.stringify({ client_email: 'a@example.com', private_key: 'x' }),
    },
  })
  const { sid: destination_sid } = await as(api.alertDestinations.create, {
    body: newDestination(own.account),
  })
  const { row, written } = await sendLogged(
    t.ctx,
    { kind: 'environment', account_sid: own.account, service_provider_sid: own.sp },
    'http://127.0.0.1:1/',
    { method: 'OPTIONS', timeout_ms: 100, max_bytes: 100 },
  )
  await written
  const { sid: custom } = await as(api.googleCustomVoices.create, {
    body: { speech_credential_sid: credential, name: 'mine', model: 'm' },
  })
  const [sbc, smppAddress] = await Promise.all(
    [api.signallingAddresses.addSbc, api.signallingAddresses.addSmpp].map((add) =>
      t.as('admin')(add, { body: { ipv4: '198.51.100.8' } }),
    ),
  )
  const { sid: savedView } = await as(api.savedViews.create, { body: newView() })
  await as(api.viewAlerts.set, {
    params: { saved_view_sid: savedView },
    body: viewAlert(destination_sid),
  })
  const failure = await addFailure(t.db, { account_sid: own.account })
  const providerFailure = await addFailure(t.db, { service_provider_sid: own.sp })
  const { sid: eventSubscription } = await as(api.eventSubscriptions.create, {
    body: newSubscription(own.account),
  })
  await addEvent(t.db, { account_sid: own.account, service_provider_sid: own.sp }, carrier)
  const { sid: webhook } = await as(api.webhooks.create, { body: hook })
  const { sid: trunkReportLink } = await as(api.trunkReportLinks.create, {
    params: { voip_carrier_sid: carrier },
    body: newTrunkReportLink(),
  })
  const { sid: customerReportLink } = await as(api.customerReports.createLink, {
    params: { account_sid: own.account },
    body: newCustomerReportLink(),
  })
  const { sid: directory } = t.ctx.config.page.ENABLE_HOSTED_SYSTEM
    ? { sid: randomUUID() }
    : await t.as('admin')(api.directories.create, { body: { name: 'Directory' } })
  const { sid: program } = await t.as('admin')(api.programs.create, {
    body: { name: 'Assistant', redirect_uris: ['https://assistant.example/callback'] },
  })
  return {
    ...own,
    application,
    run,
    suite,
    testCase,
    simulatedCaller,
    carrier,
    shared,
    gateway,
    smpp,
    number,
    client,
    tenant,
    table,
    route: routes[0]!.lcr_route_sid,
    entry: routes[0]!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid,
    defaultEntry: default_carrier_set_entry_sid!,
    fresh,
    user: user_sid,
    session: session_sid,
    passkey: passkey_sid,
    key,
    template: template!.predefined_carrier_sid,
    credential,
    voice: custom,
    destination: destination_sid,
    eventSubscription,
    webhookRequest: row.webhook_request_sid,
    sbc: sbc!.sid,
    smppAddress: smppAddress!.sid,
    webhook,
    trunkReportLink,
    customerReportLink,
    directory,
    program,
    savedView,
    failure,
    providerFailure,
  }
}

export const missingSids = (w: World) =>
  Object.fromEntries(
    Object.entries(w).map(([k, v]) => [k, k === 'template' ? v : randomUUID()]),
  ) as World

export async function ask(t: TestApp, who: string, e: Endpoint, line: Line, w: World) {
  const params = line.params?.(w) ?? {}
  const path = e.path.replace(/:(\w+)/g, (_, key: string) => params[key]!)
  const query = new URLSearchParams(line.query?.(w) ?? {}).toString()
  const body = line.body?.(w)
  const answer = await t.request(who, e.method, query ? `${path}?${query}` : path, body)
  return { status: answer.statusCode, body: answer.body }
}

/** A response without its variable parts. */
export const summary = ({ status, body }: { status: number; body: string }, w: World) => {
  let text = body.replace(/"request_id":"[^"]*"/, '')
  for (const sid of Object.values(w)) text = text.replaceAll(sid, 'SID')
  return `${status} ${text}`
}

/** Every endpoint of the contract with its line. */
export const endpoints = Object.entries(lines).flatMap(([group, all]) =>
  Object.entries(all as Record<string, Line>).map(([name, line]) => {
    const e = (api as unknown as Record<string, Record<string, Endpoint>>)[group]![name]!
    return { title: `${group}.${name}`, e, line }
  }),
)
