import { randomUUID } from 'node:crypto'
import { type AccessGrant, type api, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import { found, invalidField } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import { accessOf } from '../provisioning/access.ts'
import * as directories from './queries.ts'

/** Throws 400 for access that the directory could not give. */
async function requireAccess(db: Db, grant: AccessGrant | null | undefined, within: string | null) {
  if (grant && !(await accessOf(db, grant, within)))
    throw invalidField(
      'default_access',
      within
        ? t('Choose access within the service provider of the directory')
        : t('This account or service provider no longer exists'),
    )
}

const stored = (grant: AccessGrant | null | undefined) =>
  grant === undefined ? undefined : grant && JSON.stringify(grant)

export const directoryRoutes: Handlers<typeof api.directories> = {
  list: ({ ctx }) => directories.list(ctx.db),

  async create({ body: { name, default_access, service_provider_sid }, ...actor }) {
    const sid = randomUUID()
    const token = directories.newToken()
    const answer = { sid, token }
    await audited(actor, { ...directories.auditSubject(sid), isNew: true, answer }, async (tx) => {
      const provider =
        service_provider_sid &&
        (await tx
          .selectFrom('service_providers')
          .select('service_provider_sid')
          .where('service_provider_sid', '=', service_provider_sid)
          .executeTakeFirst())
      if (service_provider_sid && !provider)
        throw invalidField('service_provider_sid', t('No such service provider'))
      await requireAccess(tx, default_access, service_provider_sid)
      await directories.insert(tx, {
        directory_sid: sid,
        name,
        service_provider_sid,
        default_access: stored(default_access) ?? null,
        token_digest: directories.tokenDigest(token),
        created_at: new Date().toISOString(),
      })
    })
    return answer
  },

  async update({ params: { directory_sid: sid }, body, ...actor }) {
    await audited(actor, directories.auditSubject(sid), async (tx, before) => {
      const { service_provider_sid } = found(before, t('directory'))
      await requireAccess(tx, body.default_access, service_provider_sid)
      const change = definedFields({
        name: body.name,
        default_access: stored(body.default_access),
      })
      if (!isEmpty(change)) await directories.update(tx, sid, change)
    })
  },

  async replaceToken({ params: { directory_sid: sid }, ...actor }) {
    const token = directories.newToken()
    await audited(actor, directories.auditSubject(sid), async (tx, before) => {
      found(before, t('directory'))
      await directories.update(tx, sid, { token_digest: directories.tokenDigest(token) })
    })
    return { token }
  },

  async remove({ params: { directory_sid: sid }, ...actor }) {
    await audited(actor, directories.auditSubject(sid), async (tx, before) => {
      found(before, t('directory'))
      await directories.remove(tx, sid)
    })
  },
}
