import {
  type api,
  type Brand,
  brands as contract,
  HOST_TAKEN,
  type Logo,
  t,
} from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import { conflict, found, invalidField, notPermitted } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import type { LogoField } from './queries.ts'

// late, as few servers have brands
const loadQueries = () => import('./queries.ts')

/** A provider without a brand has an empty one. Throws 404 for a provider that the caller may not see. */
async function view(db: Db, scope: Scope, service_provider_sid: string) {
  const brands = await loadQueries()
  const brand = await brands.find(db, scope, service_provider_sid)
  if (brand) return brand
  found(await serviceProviders.find(db, scope, service_provider_sid), t('service provider'))
  return {
    service_provider_sid,
    ...{ name: null, color: null, logo_light: null, logo_dark: null, hosts: [] },
  }
}

const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'brand' as const,
  sid,
  view: contract.view,
  // hosts are unique across providers
  lock: 'brands',
  read: (tx: Db) => view(tx, scope, sid),
})

type LogoIn = Logo | string | null | undefined

/**
 * Columns to store for a logo. Only a logo that the brand has already can be named by its digest: others' stay theirs.
 */
async function logoColumns(tx: Db, stored: Brand, field: LogoField, sent: LogoIn) {
  if (sent === undefined || sent === stored[field]) return {}
  const brands = await loadQueries()
  const { checkedLogo } = await import('./logo.ts')
  const digest = sent === null ? null : typeof sent === 'string' ? sent : checkedLogo(field, sent)
  const isKnown = sent === stored.logo_light || sent === stored.logo_dark
  if (typeof sent === 'string' && !isKnown)
    throw invalidField(field, t('The brand has no logo of this digest'))
  const logo = typeof sent === 'string' ? await brands.logoByDigest(tx, sent) : sent
  return {
    [field]: logo?.data ?? null,
    [`${field}_type`]: logo?.type ?? null,
    [`${field}_digest`]: digest,
  }
}

const isSame = (a: readonly string[], b: readonly string[]) => a.join() === b.join()

export const brandRoutes: Handlers<typeof api.brands> = {
  own: async ({ scope, ctx }) => ({ brand: await (await loadQueries()).ownOf(ctx.db, scope) }),

  view: ({ params, scope, ctx }) => view(ctx.db, scope, params.service_provider_sid),

  async update({ params: { service_provider_sid: sid }, body, ...actor }) {
    const { scope } = actor
    const { hosts, logo_light, logo_dark, ...rest } = body
    const brands = await loadQueries()
    await audited(actor, auditSubject(scope, sid), async (tx, before) => {
      const stored = found(before, t('brand'))
      await brands.insert(tx, sid)
      if (hosts && !isSame(hosts, stored.hosts)) {
        // strangers see the brand there, in place of the product's
        if (scope.role !== 'admin') throw notPermitted('hosts')
        if (await brands.areTaken(tx, sid, hosts)) throw conflict('hosts', HOST_TAKEN)
        await brands.replaceHosts(tx, sid, hosts)
      }
      const change = definedFields({
        ...rest,
        ...(await logoColumns(tx, stored, 'logo_light', logo_light)),
        ...(await logoColumns(tx, stored, 'logo_dark', logo_dark)),
      })
      if (!isEmpty(change)) await brands.update(tx, scope, sid, change)
    })
  },

  async logo({ params, ctx }) {
    const { type, data } = found(
      await (await loadQueries()).logoByDigest(ctx.db, params.digest),
      t('logo'),
    )
    return { type, bytes: new Uint8Array(Buffer.from(data, 'base64')) }
  },
}
