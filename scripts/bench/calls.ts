import { ACCOUNT, ADDED, ADDED_HOOK, ADDED_NAME, APPLICATION, CARRIER, SP } from './data.ts'

export type Call = {
  name: string
  path: string
  /** Lua for wrk, when it should not request the same URL every time. */
  script?: (run: number) => string
  /** The same rows as one SQL query, for the ceiling. */
  bare?: string
  /** Requests per second of the stock server, measured elsewhere: 32 connections, MariaDB. */
  stock?: number
  /** How many times as fast as the stock server it has to be. */
  times?: number
  /** A list: its p99 is at most 5 times its p50. */
  isList?: true
  /** An API key is nobody's session. */
  sessionOnly?: true
}

const size = 'page_size=25'
const one = (table: string, column: string, sid: string) =>
  `select * from ${table} where ${column} = '${sid}'`

/** The calls under load. `user` is the sid of who is signed in. */
export const calls = (numbers: number, user: string): Call[] => [
  {
    name: 'applications, page 1',
    path: `/Accounts/${ACCOUNT}/Applications?page=1&${size}`,
    bare: `select a.*, w.url from applications a join webhooks w on w.webhook_sid = a.call_hook_sid where a.account_sid = '${ACCOUNT}' order by a.name limit 25`,
    stock: 401,
    times: 10,
    isList: true,
  },
  {
    name: 'carriers, page 1',
    path: `/ServiceProviders/${SP}/VoipCarriers?page=1&${size}`,
    bare: `select * from voip_carriers where service_provider_sid = '${SP}' order by name limit 25`,
    stock: 487,
    times: 5,
    isList: true,
  },
  {
    name: 'phone numbers, page 1',
    path: `/PhoneNumbers?page=1&${size}`,
    bare: 'select * from phone_numbers order by number limit 25',
    stock: 234,
    isList: true,
  },
  {
    name: 'phone numbers, last page',
    path: `/PhoneNumbers?page=${numbers / 25}&${size}`,
    stock: 5.2,
    isList: true,
  },
  {
    name: 'phone numbers, any page',
    path: '/PhoneNumbers',
    script: () =>
      `request = function() return wrk.format("GET", wrk.path .. "?page=" .. math.random(1, ${numbers / 25}) .. "&${size}") end`,
    isList: true,
  },
  {
    name: 'phone numbers, text inside',
    path: `/PhoneNumbers?page=1&${size}&filter=777`,
    stock: 40,
    isList: true,
  },
  {
    name: 'one account',
    path: `/Accounts/${ACCOUNT}`,
    bare: one('accounts', 'account_sid', ACCOUNT),
    stock: 2094,
    times: 2.5,
  },
  {
    name: 'one user',
    path: `/Users/${user}`,
    bare: one('users', 'user_sid', user),
  },
  {
    name: 'the signed-in user',
    path: '/Users/me',
    stock: 1152,
    times: 2.5,
    sessionOnly: true,
  },
  {
    name: 'one carrier with its gateways',
    path: `/VoipCarriers/${CARRIER}`,
    bare: one('voip_carriers', 'voip_carrier_sid', CARRIER),
  },
  {
    name: 'one application',
    path: `/Applications/${APPLICATION}`,
    bare: one('applications', 'application_sid', APPLICATION),
  },
  { name: 'all accounts', path: '/Accounts', stock: 884, times: 2 },
  { name: 'all users', path: '/Users', stock: 1557, times: 2 },
  {
    name: 'add an application',
    path: '/Applications',
    stock: 1029,
    times: 1.5,
    script: (run) => `local n = 0
id = 0
function setup(thread) thread:set("id", id); id = id + 1 end
request = function()
  n = n + 1
  local hook = '{"url":"${ADDED_HOOK}","method":"POST"}'
  local body = string.format('{"name":"${ADDED_NAME}%d %d %d","account_sid":"${ACCOUNT}","call_hook":%s,"call_status_hook":%s}', id, ${run}, n, hook, hook)
  return wrk.format("POST", nil, { ["authorization"] = wrk.headers["authorization"], ["content-type"] = "application/json" }, body)
end`,
  },
  {
    name: 'add a phone number',
    path: '/PhoneNumbers',
    stock: 1779,
    times: 1,
    script: (run) => `local n = 0
id = 0
function setup(thread) thread:set("id", id); id = id + 1 end
request = function()
  n = n + 1
  local body = string.format('{"number":"${ADDED}%d%02d%08d","account_sid":"${ACCOUNT}"}', id, ${run}, n)
  return wrk.format("POST", nil, { ["authorization"] = wrk.headers["authorization"], ["content-type"] = "application/json" }, body)
end`,
  },
]

/**
 * Lists that nobody asked for since the start, each asked once per start: different filters and sorts are
 * different lists.
 */
export const coldLists = {
  coldNumbers: [`/PhoneNumbers?page=1&${size}`],
  coldText: ['777', '1234', '90', '55512', '08'].map(
    (text) => `/PhoneNumbers?page=1&${size}&filter=${text}`,
  ),
  coldCarriers: [`/ServiceProviders/${SP}/VoipCarriers?page=1&${size}`],
  coldApplications: [`/Accounts/${ACCOUNT}/Applications?page=1&${size}`],
}
/** Asked before, so that the cold lists do not pay for code that runs for the first time. */
export const WARM_UP = `/Accounts?page=1&${size}`
