import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config/config.ts'

/** Content security policy that Stripe documents for its script. */
const PAYMENTS = {
  script: ['https://js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
}
const NO_PAYMENTS = { script: [], frame: ["'self'"], connect: [] }

/**
 * Security headers: no inline code, and no other origins except the configured API and, where people pay,
 * the payment provider.
 */
export const headers = fp(async (app: FastifyInstance, config: Config) => {
  const api = config.page.API_BASE_URL ? [new URL(config.page.API_BASE_URL).origin] : []
  const payments = config.page.STRIPE_PUBLISHABLE_KEY ? PAYMENTS : NO_PAYMENTS
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...payments.script],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", ...api, ...payments.connect],
        frameSrc: payments.frame,
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    // consoles on other origins call the API
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
})
