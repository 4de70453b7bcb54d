import type { Plan } from './calls.ts'
import { Random } from './random.ts'
import type { DemoAlert } from './records.ts'
import { DEGRADED, PROVIDERS } from './tenants.ts'
import type { Account } from './world.ts'

const HOUR = 3_600_000
/** While a carrier does not answer, the platform says so this often. */
const NOTICE_EVERY = 600_000

type Happening = (
  account: Account,
  random: Random,
) => Pick<DemoAlert, 'type' | 'message' | 'detail'>

const HAPPENINGS: readonly (readonly [Happening, number])[] = [
  [
    ({ applications }, random) => ({
      type: 'webhook-failure',
      message: `url: ${random.pick(applications).url}, status: ${random.pick([500, 502, 503])}`,
    }),
    4,
  ],
  [
    ({ realm }) => ({
      type: 'play-url-notfound',
      message: `audio file https://media.${realm}/greetings/holiday.wav not found`,
    }),
    2,
  ],
  [
    ({ size }) => ({ type: 'account-call-limit', message: `limit of ${size * 3} calls exceeded` }),
    2,
  ],
  [
    (_, random) => ({
      type: 'stt-failure',
      message: `${random.pick(['deepgram', 'google', 'microsoft'])} speech-to-text failed`,
      detail: 'websocket closed with code 1011',
    }),
    2,
  ],
  [
    ({ applications }, random) => ({
      type: 'invalid-app-payload',
      message: 'actionHook returned invalid verb syntax',
      detail: random.pick(applications).url,
    }),
    1,
  ],
  [() => ({ type: 'no-carrier', message: 'no carrier for an outbound call' }), 1],
  [
    ({ name }) => ({
      type: 'alert-from-application',
      message: `${name}: stock system unreachable`,
    }),
    1,
  ],
]

/** Plans the alerts between two times, other than those that calls set off themselves. */
export function alertsBetween(plan: Plan, from: number, to: number): DemoAlert[] {
  const { accounts } = plan.world
  const alerts: DemoAlert[] = []
  for (let hour = Math.floor(from / HOUR); hour * HOUR < to && accounts.length > 0; hour++) {
    const random = new Random(`${plan.seed} alerts ${hour - Math.floor(plan.began / HOUR)}`)
    const busy = PROVIDERS.length
    for (let n = random.poisson(0.12 * busy); n > 0; n--) {
      const account = random.pick(accounts)
      alerts.push({
        ...random.weighted(HAPPENINGS)(account, random),
        at: hour * HOUR + random.int(0, HOUR - 1),
        account_sid: account.sid,
        service_provider_sid: account.provider_sid,
      })
    }
  }
  return [...alerts, ...notices(plan, from, to)]
    .filter(({ at }) => at >= from && at < to)
    .sort((a, b) => a.at - b.at)
}

/** The platform's notices of the carrier that does not answer. */
function notices({ incidents, world }: Plan, from: number, to: number): DemoAlert[] {
  const { name, carriers } = PROVIDERS.find(({ carriers }) =>
    carriers.some((c) => c.name === DEGRADED.carrier),
  )!
  const provider = world.accounts.find((a) => a.provider === name)
  if (!provider) return []
  const [address] = carriers.find((c) => c.name === DEGRADED.carrier)!.addresses
  return incidents.flatMap((incident) => {
    const first = Math.max(incident.from, from - NOTICE_EVERY)
    const start = incident.from + Math.ceil((first - incident.from) / NOTICE_EVERY) * NOTICE_EVERY
    const alerts: DemoAlert[] = []
    for (let at = start; at < Math.min(to, incident.to); at += NOTICE_EVERY)
      alerts.push({
        at,
        service_provider_sid: provider.provider_sid,
        message: `Carrier ${DEGRADED.carrier}: gateway ${address}:5060 answers OPTIONS with 503`,
      })
    return alerts
  })
}
