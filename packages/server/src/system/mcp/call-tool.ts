import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { plainError } from '@switchroom/contract'
import { record } from '../../audit/record.ts'
import { sharedTransaction } from '../../db/shared.ts'
import { Failure, toFailure } from '../../http/failure.ts'
import { addressOf } from '../../http/network.ts'
import { ownerIn } from '../../http/scope.ts'
import { textIssues } from '../../http/text.ts'
import { normalize } from '../../secrets/without-secrets.ts'
import { refused } from './answer.ts'
import { type Caller, refusalIn } from './caller.ts'
import type { Extra, Tool } from './surface.ts'

const PER_MINUTE = 120
const PER_DAY = 10_000
const DAY_SECONDS = 86_400

/** Calls a tool, after the audit log has the call. A refusal is an answer that the agent can read. */
export async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  caller: Caller,
  extra: Extra,
): Promise<CallToolResult> {
  try {
    await spend(caller)
    const badText = textIssues(args)
    if (badText.length > 0) return refused({ refused: badText[0]!.message, issues: badText })
    const parsed = tool.input.safeParse(args, { error: plainError })
    await log(tool, args, caller)
    if (!parsed.success) {
      const issues = parsed.error.issues.map(({ path, message }) => ({
        path: path.map(String),
        message,
      }))
      return refused({ refused: 'These arguments are not valid', issues })
    }
    return await tool.run(args, caller, extra)
  } catch (error) {
    return refused(reasonOf(error, caller))
  }
}

function reasonOf(error: unknown, { request, signal }: Caller) {
  try {
    return refusalIn(error)
  } catch {
    const failure = toFailure(error)
    // a caller who leaves ends the work for them
    if (failure.code === 'internal' && !signal.aborted)
      request.log.error({ err: error }, 'a tool failed')
    const { code, message, issues, retry_after } = failure
    return {
      refused: message,
      code,
      ...(issues.length > 0 && { issues }),
      request_id: request.id,
      ...(retry_after && { retry_after }),
    }
  }
}

/** Limits the entries that an agent can add to the audit log. Counted over all processes. */
async function spend({ ctx: { live, config }, scope }: Caller) {
  if (!config.rate_limit) return
  const seconds = Math.floor(Date.now() / 1_000)
  const limits = [
    [60, PER_MINUTE, 'minute'],
    [DAY_SECONDS, PER_DAY, 'day'],
  ] as const
  const keys = limits.map(
    ([span]) =>
      `switchroom:mcp:calls:${scope.user_sid ?? scope.api_key_sid}:${span}:${Math.floor(seconds / span)}`,
  )
  const counts = await live.incrementAll(keys, DAY_SECONDS)
  for (const [i, [span, most, name]] of limits.entries())
    if (counts[i]! > most)
      throw new Failure('too_many', `At most ${most} calls of tools a ${name}`, {
        retry_after: span - (seconds % span),
      })
}

/** Characters of a tool's arguments in the log: enough to tell their subject. */
const LOGGED_CHARACTERS = 2_000

/** Logs a call, also one that only reads. The entries of its changes have the same request id. */
async function log({ name }: Tool, args: object, { ctx, scope, request }: Caller) {
  const text = JSON.stringify(normalize(args))
  const meta = {
    ip: addressOf(request, ctx.config),
    request_id: request.id,
    version: undefined,
  }
  await sharedTransaction(ctx.db, (tx) =>
    record(tx, { scope, meta }, [
      {
        action: 'call',
        kind: 'mcp_tool',
        sid: request.id,
        name,
        ...ownerIn(scope),
        before: null,
        after: {
          ...(scope.program && { client_id: scope.program.client_id }),
          arguments:
            text.length > LOGGED_CHARACTERS
              ? `${text.slice(0, LOGGED_CHARACTERS)}…`
              : JSON.parse(text),
        },
      },
    ]),
  )
}
