import { randomUUID } from 'node:crypto'
import { TRUNK_REPORT_ENDED, t } from '@switchroom/contract'
import { type ActorContext, audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found } from '../../http/failure.ts'
import type { RequestMeta, Scope } from '../../http/scope.ts'
import * as queries from './queries.ts'
import { countLinkRequest, type LinkColumns, newLink } from './tokens.ts'

type Links<T extends queries.Table> = queries.Links<T>

const subject = <T extends queries.Table>(links: Links<T>, scope: Scope, sid: string) => ({
  kind: links.kind,
  sid,
  read: async (tx: Db) => {
    const row = await queries.findLink(tx, scope, links, sid)
    return row && links.logged(row)
  },
})

/** Makes a link. `rowOf` looks up within scope what it is about. */
export async function makeLink<T extends queries.Table>(
  actor: ActorContext,
  links: Links<T>,
  { about, ...wanted }: { about: string; label: string; days: number },
  rowOf: (tx: Db, columns: LinkColumns, sid: string) => Promise<queries.NewRow<T>>,
) {
  const sid = randomUUID()
  const { token, columns } = newLink(actor.scope, wanted)
  const answer = { sid, token }
  // those who are made at the same time are counted one after the other
  const added = { isNew: true, answer, lock: `${links.kind}s:${about}` } as const
  await audited(actor, { ...subject(links, actor.scope, sid), ...added }, async (tx) => {
    const row = await rowOf(tx, columns, sid)
    await queries.removeEnded(tx, links, about)
    if ((await queries.countLive(tx, links, about)) >= links.most)
      throw new Failure('conflict', links.tooMany)
    await queries.insertLink(tx, links, row)
  })
  return answer
}

export const revokeLink = <T extends queries.Table>(
  actor: ActorContext,
  links: Links<T>,
  sid: string,
) =>
  audited(actor, subject(links, actor.scope, sid), async (tx, before) => {
    found(before, t('link'))
    await queries.remove(tx, actor.scope, links, sid)
  })

/** What a token opens. Throws 429 before anything is looked up, and 404 without saying why. */
export async function openLink<T extends queries.Table>(
  { ctx, meta }: { ctx: Context; meta: RequestMeta },
  links: Links<T>,
  token: string,
): Promise<queries.Row<T>> {
  await countLinkRequest(ctx, links.kind, meta.ip)
  const link = await queries.withToken(ctx.db, links, token)
  // whether it has ended, was revoked or never was is nobody's to know
  if (!link) throw new Failure('not_found', TRUNK_REPORT_ENDED)
  return link
}
