import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import formbody from '@fastify/formbody'
import rateLimit from '@fastify/rate-limit'
import { api } from '@switchroom/contract'
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { accountRoutes } from './accounts/routes.ts'
import { alertDestinationRoutes } from './alert-destinations/routes.ts'
import { accountAlertRoutes, alertRoutes, providerAlertRoutes } from './alerts/routes.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { appEnvRoutes } from './app-env/routes.ts'
import { applicationRoutes } from './applications/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { callLogRoutes } from './call-logs/routes.ts'
import { captureRoutes } from './captures/routes.ts'
import { clientRoutes } from './clients/routes.ts'
import type { Context } from './context.ts'
import { gatewayProbeRoutes } from './gateway-probes/routes.ts'
import { googleCustomVoiceRoutes } from './google-custom-voices/routes.ts'
import { isApi } from './http/base-paths.ts'
import { serveConsole } from './http/console.ts'
import { Failure, onError } from './http/failure.ts'
import { headers } from './http/headers.ts'
import { takeEmptyJson } from './http/json.ts'
import { operations } from './http/operations.ts'
import { serve } from './http/serve.ts'
import { lcrCarrierSetEntryRoutes } from './lcr-carrier-set-entries/routes.ts'
import { lcrRouteRoutes } from './lcr-routes/routes.ts'
import { lcrTableRoutes } from './lcrs/routes.ts'
import { limitRoutes } from './limits/routes.ts'
import { liveCallRoutes } from './live-calls/routes.ts'
import { messageRoutes } from './messages/routes.ts'
import { messagingRoutes } from './messaging/routes.ts'
import { checkMessaging } from './messaging/start.ts'
import { msTeamsTenantRoutes } from './ms-teams-tenants/routes.ts'
import { phoneNumberRoutes } from './phone-numbers/routes.ts'
import { predefinedCarrierRoutes } from './predefined-carriers/routes.ts'
import { queueRoutes } from './queues/routes.ts'
import {
  accountRecentCallRoutes,
  providerRecentCallRoutes,
  recentCallRoutes,
} from './recent-calls/routes.ts'
import { recordingRoutes } from './recordings/routes.ts'
import { isUpload, receiveRecordings } from './recordings/socket.ts'
import { registeredUserRoutes } from './registered-users/routes.ts'
import { registrationRoutes } from './registration/routes.ts'
import { routeSimulationRoutes } from './route-simulations/routes.ts'
import { serviceProviderRoutes } from './service-providers/routes.ts'
import { sessionRoutes } from './session/routes.ts'
import { settingRoutes } from './settings/routes.ts'
import { signallingAddressRoutes } from './signalling-addresses/routes.ts'
import { sipGatewayRoutes } from './sip-gateways/routes.ts'
import { smppGatewayRoutes } from './smpp-gateways/routes.ts'
import { speechCatalogueRoutes } from './speech-catalogues/routes.ts'
import {
  accountSpeechCredentialRoutes,
  providerSpeechCredentialRoutes,
} from './speech-credentials/routes.ts'
import { accountSpeechTrialRoutes, providerSpeechTrialRoutes } from './speech-trials/routes.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { receiveEvents } from './subscriptions/webhook.ts'
import { systemRoutes } from './system/routes.ts'
import { traceRoutes } from './traces/routes.ts'
import { userRoutes } from './users/routes.ts'
import { voipCarrierRoutes } from './voip-carriers/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Builds the server without listening. The caller closes it; the context stays the caller's. */
export async function buildApp(ctx: Context, options: FastifyServerOptions = {}) {
  const app: FastifyInstance = Fastify({
    requestTimeout: 60_000,
    connectionTimeout: 120_000,
    // the platform's own limit, for JSON and forms alike
    bodyLimit: 102_400,
    trustProxy: trusted(ctx.config.trusted_proxies),
    routerOptions: {
      // as the platform's server: any case, with or without a slash at the end
      ignoreTrailingSlash: true,
      caseSensitive: false,
      // its portal writes two slashes where it puts paths together
      ignoreDuplicateSlashes: true,
      // a Call-ID may be long, the more so escaped
      maxParamLength: 1_024,
    },
    genReqId: () => randomUUID(),
    // a line per request is written when it is answered, without its URL
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // what the router refuses is refused in our words as well: its own repeat the URL
    frameworkErrors: (error, request, reply) => void onError(error, request, reply),
    // whoever asks for another protocol elsewhere is answered in this one
    http: { shouldUpgradeCallback: isUpload },
    ...options,
  })
  app.decorateRequest('scope')
  app.setErrorHandler(onError)
  // a client that keeps its connection must not keep us: what falls idle while closing is closed
  app.addHook('preClose', async () => {
    const idle = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(idle))
  })
  await app.register(headers, ctx.config)
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'],
    exposedHeaders: ['content-disposition', 'content-range', 'retry-after', 'x-request-id'],
    preflight: true,
    strictPreflight: false,
  })
  await app.register(compress, { threshold: 1_024, encodings: ['br', 'gzip'] })
  await app.register(formbody)
  if (ctx.config.page.ENABLE_HOSTED_SYSTEM) await app.register(cookie)
  takeEmptyJson(app)
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_, body, done) => done(null, body))
  if (ctx.config.rate_limit) await throttle(app, ctx.config.rate_limit)
  await app.register(operations, ctx)

  serve(app, ctx, api.system, systemRoutes)
  serve(app, ctx, api.session, sessionRoutes)
  serve(app, ctx, api.registration, registrationRoutes)
  serve(app, ctx, api.users, userRoutes)
  serve(app, ctx, api.settings, settingRoutes)
  serve(app, ctx, api.serviceProviders, serviceProviderRoutes)
  serve(app, ctx, api.accounts, accountRoutes)
  serve(app, ctx, api.subscriptions, subscriptionRoutes)
  serve(app, ctx, api.limits, limitRoutes)
  serve(app, ctx, api.apiKeys, apiKeyRoutes)
  serve(app, ctx, api.clients, clientRoutes)
  serve(app, ctx, api.liveCalls, liveCallRoutes)
  serve(app, ctx, api.queues, queueRoutes)
  serve(app, ctx, api.registeredUsers, registeredUserRoutes)
  serve(app, ctx, api.messages, messageRoutes)
  serve(app, ctx, api.messaging, messagingRoutes)
  serve(app, ctx, api.applications, applicationRoutes)
  serve(app, ctx, api.appEnv, appEnvRoutes)
  serve(app, ctx, api.webhooks, webhookRoutes)
  serve(app, ctx, api.accountRecentCalls, accountRecentCallRoutes)
  serve(app, ctx, api.providerRecentCalls, providerRecentCallRoutes)
  serve(app, ctx, api.recentCalls, recentCallRoutes)
  serve(app, ctx, api.accountAlerts, accountAlertRoutes)
  serve(app, ctx, api.providerAlerts, providerAlertRoutes)
  serve(app, ctx, api.alerts, alertRoutes)
  serve(app, ctx, api.alertDestinations, alertDestinationRoutes)
  serve(app, ctx, api.accountSpeechCredentials, accountSpeechCredentialRoutes)
  serve(app, ctx, api.providerSpeechCredentials, providerSpeechCredentialRoutes)
  serve(app, ctx, api.googleCustomVoices, googleCustomVoiceRoutes)
  serve(app, ctx, api.speechCatalogues, speechCatalogueRoutes)
  serve(app, ctx, api.accountSpeechTrials, accountSpeechTrialRoutes)
  serve(app, ctx, api.providerSpeechTrials, providerSpeechTrialRoutes)
  serve(app, ctx, api.voipCarriers, voipCarrierRoutes)
  serve(app, ctx, api.predefinedCarriers, predefinedCarrierRoutes)
  serve(app, ctx, api.sipGateways, sipGatewayRoutes)
  serve(app, ctx, api.smppGateways, smppGatewayRoutes)
  serve(app, ctx, api.signallingAddresses, signallingAddressRoutes)
  serve(app, ctx, api.gatewayProbes, gatewayProbeRoutes)
  serve(app, ctx, api.phoneNumbers, phoneNumberRoutes)
  serve(app, ctx, api.routeSimulations, routeSimulationRoutes)
  serve(app, ctx, api.traces, traceRoutes)
  serve(app, ctx, api.callLogs, callLogRoutes)
  serve(app, ctx, api.recordings, recordingRoutes)
  serve(app, ctx, api.captures, captureRoutes)
  serve(app, ctx, api.audit, auditRoutes)
  serve(app, ctx, api.msTeamsTenants, msTeamsTenantRoutes)
  serve(app, ctx, api.lcrs, lcrTableRoutes)
  serve(app, ctx, api.lcrRoutes, lcrRouteRoutes)
  serve(app, ctx, api.lcrCarrierSetEntries, lcrCarrierSetEntryRoutes)

  checkMessaging(ctx)
  app.addHook('onClose', async () => void (await ctx.modules.close()))
  receiveRecordings(app, ctx)
  receiveEvents(app, ctx)

  const notFoundPage = await serveConsole(app, ctx)
  app.setNotFoundHandler((request, reply) => {
    const { method, headers } = request
    const navigates = method === 'GET' && headers.accept?.includes('text/html')
    if (notFoundPage && navigates && !isApi(request)) return notFoundPage(request, reply)
    throw new Failure('not_found', 'Not Found')
  })
  return app
}

/** The nearest so many hops are the operator's own proxies. */
const trusted = (proxies: number) => proxies > 0 && ((_: string, hop: number) => hop <= proxies)

type Limit = NonNullable<Context['config']['rate_limit']>

/** Counts requests in this process, as the platform's server does. */
function throttle(app: FastifyInstance, { by, minutes, max }: Limit) {
  return app.register(rateLimit, {
    max,
    timeWindow: minutes * 60_000,
    keyGenerator: ({ headers, ip, routeOptions }) => {
      const credential = headers.authorization?.split(' ')[1]
      if (by === 'system') return 'system'
      if (by === 'apikey') return credential ?? 'none'
      if (by === 'ip') return (headers['x-real-ip'] as string | undefined) ?? ip
      // nobody looks at a stranger's credential, who could make one up for every request
      return (routeOptions.config.isPublic ? undefined : credential) ?? ip
    },
    allowList: (request) => !isApi(request),
    errorResponseBuilder: (_, { ttl }) =>
      new Failure('too_many', 'Too many requests, please try again later.', {
        retry_after: Math.ceil(ttl / 1000),
      }),
  })
}
