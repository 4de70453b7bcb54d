import { randomUUID } from 'node:crypto'
import { type api, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { sbcAddresses } from '../../tenants/sbc-addresses.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import * as addresses from './queries.ts'

/** The requested provider's sid. Throws 404 if the caller may not see it. */
const visibleProvider = async ({ db }: Context, scope: Scope, sid: string) =>
  found(await serviceProviders.find(db, scope, sid), t('service provider')).service_provider_sid

/** The owner of an address: null for all providers, or an existing provider. Throws 400. */
async function ownerOf(tx: Db, scope: Scope, sid: string | null | undefined) {
  if (!sid) return null
  if (await serviceProviders.find(tx, scope, sid)) return sid
  throw invalidField('service_provider_sid', t('unknown service_provider_sid'))
}

const sbc = (sid: string) => ({
  kind: 'sbc_address' as const,
  sid,
  read: (tx: Db) => addresses.findSbc(tx, sid),
})

/** Newer platforms have no SMPP. */
const refuseWithoutSmpp = ({ schemaHas }: Context) => {
  if (!schemaHas('smpp_addresses')) throw new Failure('not_found', t('This platform has no SMPP'))
}

const smpp = (sid: string) => ({
  kind: 'smpp_address' as const,
  sid,
  read: (tx: Db) => addresses.findSmpp(tx, sid),
})

export const signallingAddressRoutes: Handlers<typeof api.signallingAddresses> = {
  async sbcs({ query: { service_provider_sid: requested }, scope, ctx }) {
    const ownProvider = scope.role === 'admin' ? null : scope.service_provider_sid
    const provider = requested ? await visibleProvider(ctx, scope, requested) : ownProvider
    const rows = provider ? await sbcAddresses(ctx.db, provider) : []
    return rows.length > 0 ? rows : sbcAddresses(ctx.db, null)
  },

  async smpps({ query: { service_provider_sid: requested }, scope, ctx }) {
    const provider = requested ? await visibleProvider(ctx, scope, requested) : null
    return ctx.schemaHas('smpp_addresses') ? addresses.listSmpp(ctx.db, provider) : []
  },

  async addSbc({ body, ...actor }) {
    const sid = randomUUID()
    await audited(actor, { ...sbc(sid), isNew: true }, async (tx) => {
      const { service_provider_sid, tls_port = null, wss_port = null, ...rest } = body
      const owner = await ownerOf(tx, actor.scope, service_provider_sid)
      const row = { ...rest, tls_port, wss_port, service_provider_sid: owner }
      await addresses.insertSbc(tx, { sbc_address_sid: sid, ...row })
    })
    return { sid }
  },

  async removeSbc({ params: { sbc_address_sid: sid }, ...actor }) {
    await audited(actor, sbc(sid), async (tx, before) => {
      found(before, t('SBC address'))
      await addresses.removeSbc(tx, sid)
    })
  },

  async addSmpp({ body, ...actor }) {
    refuseWithoutSmpp(actor.ctx)
    const sid = randomUUID()
    await audited(actor, { ...smpp(sid), isNew: true }, async (tx) => {
      const owner = await ownerOf(tx, actor.scope, body.service_provider_sid)
      await addresses.insertSmpp(tx, {
        ...body,
        smpp_address_sid: sid,
        service_provider_sid: owner,
      })
    })
    return { sid }
  },

  async removeSmpp({ params: { smpp_address_sid: sid }, ...actor }) {
    refuseWithoutSmpp(actor.ctx)
    await audited(actor, smpp(sid), async (tx, before) => {
      found(before, t('SMPP address'))
      await addresses.removeSmpp(tx, sid)
    })
  },
}
