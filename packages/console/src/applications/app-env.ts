import { type AppEnvSchema, appEnv, webhookUrlProblem } from '@switchroom/contract'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../lib/api'

export const canBeAsked = (url: string) => url !== '' && !webhookUrlProblem(url)

/** What the application at this address wants to be told. */
export const environmentAt = (url: string) =>
  queryOptions({
    queryKey: [appEnv.check.path, url],
    queryFn: () => send(appEnv.check, { query: { url } }),
    staleTime: 30_000,
    meta: { asTyped: true },
  })

/** The schema as far as it is known by now; when it is not, the server checks alone. */
export function knownSchema(url: string): AppEnvSchema | undefined {
  const answer = queryClient.getQueryData(environmentAt(url).queryKey)
  return answer && 'schema' in answer ? answer.schema : undefined
}
