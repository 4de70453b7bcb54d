import { type AppEnvSchema, webhookUrlProblem } from '@switchroom/contract'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../lib/api'
import { appEnv } from '../lib/endpoints'

export const isWebhookUrl = (url: string) => url !== '' && !webhookUrlProblem(url)

/** The environment variables that the application at this URL declares. */
export const schemaQuery = (url: string) =>
  queryOptions({
    queryKey: [appEnv.check.path, url],
    queryFn: () => send(appEnv.check, { query: { url } }),
    staleTime: 30_000,
    meta: { inline: true },
  })

/** The schema if it is loaded; otherwise only the server validates. */
export function cachedSchema(url: string): AppEnvSchema | undefined {
  const response = queryClient.getQueryData(schemaQuery(url).queryKey)
  return response && 'schema' in response ? response.schema : undefined
}
