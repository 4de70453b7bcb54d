import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs'
import { isRecord, t } from '@switchroom/contract'
import { errorText } from '../../errors/members.ts'
import { StoreUnavailable } from '../kit/unavailable.ts'
import type { Logged, LogStore } from './store.ts'

const SECONDS = 30
/** Pages may be empty while CloudWatch is still searching. */
const MAX_PAGES = 200
const MAX_LINES = 20_000
const MAX_CHARACTERS = 16_000_000

/** The platform's logs in CloudWatch, with the server's own AWS identity. */
export function cloudWatchLogs(region: string): LogStore {
  let client: Promise<CloudWatchLogsClient> | undefined
  return {
    async find(call, group) {
      const { FilterLogEventsCommand } = await import('@aws-sdk/client-cloudwatch-logs')
      client ??= createClient(region)
      const abortSignal = AbortSignal.timeout(SECONDS * 1000)
      const isOfCall = ofCall(call)
      const lines: string[] = []
      let characters = 0
      let nextToken: string | undefined
      for (let page = 0; page < MAX_PAGES; page++) {
        const command = new FilterLogEventsCommand({
          logGroupName: group,
          startTime: call.from,
          endTime: call.to,
          filterPattern: patternOf(call),
          nextToken,
        })
        const answer = await (await client).send(command, { abortSignal }).catch(unavailable)
        for (const { message } of answer.events ?? []) {
          if (message === undefined || !isOfCall(message)) continue
          characters += message.length
          if (lines.length >= MAX_LINES || characters > MAX_CHARACTERS) return [...lines, CUT]
          lines.push(message)
        }
        nextToken = answer.nextToken
        if (nextToken === undefined) return lines
      }
      return [...lines, CUT]
    },
  }
}

/** The last line of a log that was cut. */
export const CUT = JSON.stringify({
  msg: 'The rest of this log is in CloudWatch.',
})

async function createClient(region: string) {
  const { CloudWatchLogsClient } = await import('@aws-sdk/client-cloudwatch-logs')
  const { NodeHttpHandler } = await import('@smithy/node-http-handler')
  const requestHandler = new NodeHttpHandler({ connectionTimeout: 5_000, requestTimeout: 20_000 })
  return new CloudWatchLogsClient({ region, requestHandler, maxAttempts: 2 })
}

function unavailable(cause: unknown): never {
  const name = errorText(cause, 'name') ?? ''
  const why = /^[A-Za-z]{1,64}$/.test(name)
    ? t('Could not read logs from CloudWatch ({name})', { name })
    : t('Could not read logs from CloudWatch')
  throw new StoreUnavailable(why, { cause })
}

/** Callers choose the SIP Call-ID, so one with special characters is not used in a pattern. */
const HARMLESS = /^[\w.@:+~!=-]{1,200}$/

function patternOf({ call_sid, sip_callid }: Logged): string {
  const either = [`($.callSid = "${call_sid}")`]
  if (sip_callid && HARMLESS.test(sip_callid)) either.push(`($.callId = "${sip_callid}")`)
  return `{ ${either.join(' || ')} }`
}

/** Checks each line again, since CloudWatch's patterns have wildcards and a Call-ID may be another tenant's. */
const ofCall = (call: Logged) => (message: string) => {
  let line: unknown
  try {
    line = JSON.parse(message)
  } catch {
    return false
  }
  if (!isRecord(line)) return false
  const { callSid, callId, accountSid } = line
  if (typeof accountSid === 'string' && accountSid !== call.account_sid) return false
  return callSid === call.call_sid || (typeof callId === 'string' && callId === call.sip_callid)
}
