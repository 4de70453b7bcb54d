import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config/config.ts'
import { BASE_PATH } from './base-paths.ts'

/** Content security policy that Stripe documents for its script. */
const PAYMENTS = {
  script: ['https://js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
}
const NO_PAYMENTS = { script: [], frame: ["'self'"], connect: [] }

/** No inline code but what has these hashes, and no other origins except the configured API and, where people pay, the payment provider. */
export function contentSecurityPolicy({ page }: Config, inline: string[] = []) {
  const api = page.API_BASE_URL ? [new URL(page.API_BASE_URL).origin] : []
  const payments = page.STRIPE_PUBLISHABLE_KEY ? PAYMENTS : NO_PAYMENTS
  const sources = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...inline, ...payments.script],
    'style-src': ["'self'"],
    'font-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'media-src': ["'self'", 'blob:'],
    'connect-src': ["'self'", ...api, ...payments.connect],
    'frame-src': payments.frame,
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(sources)
    .map(([directive, from]) => `${directive} ${from.join(' ')}`)
    .join(';')
}

/**
 * Security headers, as the OWASP Secure Headers Project advises. They are the same for every response, and made once:
 * making them for each took half the time of a short request.
 */
export const headers = fp(async (app: FastifyInstance, config: Config) => {
  const fixed = {
    'content-security-policy': contentSecurityPolicy(config),
    'cross-origin-opener-policy': 'same-origin',
    // consoles on other origins call the API
    'cross-origin-resource-policy': 'cross-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    // browsers' own filters could be used against pages
    'x-xss-protection': '0',
  }
  // the rest is about documents, and a list loads a dozen of what is none
  const ofAssets = {
    'strict-transport-security': fixed['strict-transport-security'],
    'x-content-type-options': 'nosniff',
  }
  const ofApi = {
    ...ofAssets,
    'cross-origin-resource-policy': fixed['cross-origin-resource-policy'],
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  }
  app.addHook('onRequest', async (request, reply) => {
    const { url, id } = request
    if (url.startsWith('/assets/')) return void reply.headers(ofAssets)
    const isApi = url.startsWith(`${BASE_PATH}/`)
    reply.headers(isApi ? ofApi : fixed).header('x-request-id', id)
  })
})
