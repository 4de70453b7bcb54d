import { membersOf } from '@switchroom/contract'
import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { skipExisting } from '../db/dialect.ts'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import type { Context } from '../http/context.ts'
import { Failure } from '../http/failure.ts'
import type { Payments } from '../outbound/stripe.ts'
import { reconcileAfter } from './intents.ts'
import { reconcile } from './reconcile.ts'

const MAX_BYTES = 1_000_000

/**
 * Stripe's webhook. Events are never trusted: each one only triggers a reconcile, so duplicates, delays and
 * wrong order do no harm.
 */
export function receiveEvents(app: FastifyInstance, ctx: Context, payments: Payments) {
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_, body, done) =>
      done(null, body),
    )
    raw.post('/stripe/webhook', { bodyLimit: MAX_BYTES }, async (request, reply) => {
      const stripe = await payments.client()
      const event = await verified(
        stripe,
        payments.webhook_secret,
        request.body,
        request.headers['stripe-signature'],
      )
      const account = await accountOf(ctx.db, event)
      const isNew = await transaction(ctx.db, async (tx) => {
        if (!(await storeIfNew(tx, event))) return false
        if (account) await reconcileAfter(tx, account, 0)
        return true
      })
      ctx.log.info({ event: event.id, type: event.type, isNew }, 'payment provider event received')
      // on failure the account stays due and is reconciled later
      if (isNew && account) await reconcile(ctx, account)
      return reply.status(204).send()
    })
  })
}

async function verified(stripe: Stripe, secret: string, body: unknown, signature: unknown) {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string')
    throw new Failure('invalid', 'No stripe-signature header value was provided.')
  try {
    return await stripe.webhooks.constructEventAsync(body, signature, secret)
  } catch {
    // Stripe's own message quotes the payload
    throw new Failure('invalid', 'The signature does not match this payload, or is too old.')
  }
}

/** Resolves to whether the event had not been stored before. */
async function storeIfNew(tx: Db, { id, type }: Stripe.Event) {
  const row = { event_id: id.slice(0, 255), type: type.slice(0, 100), received_at: Date.now() }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('switchroom_billing_events')
    .values(row)
    .$call(skipExisting(tx))
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The account whose Stripe customer the event is about. */
async function accountOf(db: Db, event: Stripe.Event) {
  const { id, customer } = membersOf(event.data.object)
  const referenced = typeof customer === 'string' ? customer : membersOf(customer).id
  const customerId = referenced ?? (event.type.startsWith('customer.') ? id : undefined)
  if (typeof customerId !== 'string' || customerId === '') return undefined
  const row = await db
    .selectFrom('accounts')
    .select('account_sid')
    .where('stripe_customer_id', '=', customerId)
    .executeTakeFirst()
  return row?.account_sid
}
