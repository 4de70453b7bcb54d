import { randomUUID } from 'node:crypto'
import type { api } from '@switchroom/contract'
import { changing } from '../changes/changing.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { Failure, found, invalidField } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import * as addresses from './queries.ts'

/** The provider a caller names, if it may know of that one. */
const named = async ({ db }: Context, scope: Scope, sid: string) =>
  found(await serviceProviders.find(db, scope, sid), 'service provider').service_provider_sid

/** For whom an address is: everybody, or a provider that is there. */
async function ownerOf(tx: Db, scope: Scope, sid: string | null | undefined) {
  if (!sid) return null
  if (await serviceProviders.find(tx, scope, sid)) return sid
  throw invalidField('service_provider_sid', 'unknown service_provider_sid')
}

const sbc = (sid: string) => ({
  kind: 'sbc_address' as const,
  sid,
  read: (tx: Db) => addresses.findSbc(tx, sid),
})

/** Newer platforms have no SMPP. */
const refuseWithoutSmpp = ({ has }: Context) => {
  if (!has('smpp_addresses')) throw new Failure('not_found', 'This platform has no SMPP')
}

const smpp = (sid: string) => ({
  kind: 'smpp_address' as const,
  sid,
  read: (tx: Db) => addresses.findSmpp(tx, sid),
})

export const signallingAddressRoutes: Handlers<typeof api.signallingAddresses> = {
  async sbcs({ query: { service_provider_sid: asked }, scope, ctx }) {
    const own = scope.role === 'admin' ? null : scope.service_provider_sid
    const provider = asked ? await named(ctx, scope, asked) : own
    const found = provider ? await addresses.sbcs(ctx.db, provider) : []
    return found.length > 0 ? found : addresses.sbcs(ctx.db, null)
  },

  async smpps({ query: { service_provider_sid: asked }, scope, ctx }) {
    const provider = asked ? await named(ctx, scope, asked) : null
    return ctx.has('smpp_addresses') ? addresses.smpps(ctx.db, provider) : []
  },

  async addSbc({ body, ...who }) {
    const sid = randomUUID()
    await changing(who, { ...sbc(sid), isNew: true }, async (tx) => {
      const { service_provider_sid, tls_port = null, wss_port = null, ...rest } = body
      const owner = await ownerOf(tx, who.scope, service_provider_sid)
      const row = { ...rest, tls_port, wss_port, service_provider_sid: owner }
      await addresses.insertSbc(tx, { sbc_address_sid: sid, ...row })
    })
    return { sid }
  },

  async removeSbc({ params: { sbc_address_sid: sid }, ...who }) {
    await changing(who, sbc(sid), async (tx, before) => {
      found(before, 'SBC address')
      await addresses.removeSbc(tx, sid)
    })
  },

  async addSmpp({ body, ...who }) {
    refuseWithoutSmpp(who.ctx)
    const sid = randomUUID()
    await changing(who, { ...smpp(sid), isNew: true }, async (tx) => {
      const owner = await ownerOf(tx, who.scope, body.service_provider_sid)
      await addresses.insertSmpp(tx, {
        ...body,
        smpp_address_sid: sid,
        service_provider_sid: owner,
      })
    })
    return { sid }
  },

  async removeSmpp({ params: { smpp_address_sid: sid }, ...who }) {
    refuseWithoutSmpp(who.ctx)
    await changing(who, smpp(sid), async (tx, before) => {
      found(before, 'SMPP address')
      await addresses.removeSmpp(tx, sid)
    })
  },
}
