import {
  APP_ENV_PROBLEMS,
  type AppEnvAnswer,
  type AppEnvSchema,
  appEnv,
  webhookUrlProblem,
} from '@switchroom/contract'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../lib/api'
import { capabilities } from '../lib/capabilities'

/** A stock server says only that there is no schema, not why. */
async function ask(url: string): Promise<AppEnvAnswer> {
  const sent = { query: { url } }
  if (await capabilities()) return send(appEnv.check, sent)
  const schema = await send(appEnv.view, sent)
  return schema ? { schema } : { problem: { code: 'none', text: APP_ENV_PROBLEMS.none } }
}

export const canBeAsked = (url: string) => url !== '' && !webhookUrlProblem(url)

/** What the application at this address wants to be told. */
export const environmentAt = (url: string) =>
  queryOptions({ queryKey: [appEnv.check.path, url], queryFn: () => ask(url), staleTime: 30_000 })

/** The schema as far as it is known by now; when it is not, the server checks alone. */
export function knownSchema(url: string): AppEnvSchema | undefined {
  const answer = queryClient.getQueryData(environmentAt(url).queryKey)
  return answer && 'schema' in answer ? answer.schema : undefined
}
