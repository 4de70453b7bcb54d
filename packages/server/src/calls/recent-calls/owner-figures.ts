import type { CallSpan } from '@switchroom/contract'
import type { z } from 'zod'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import type { Owner, Span } from '../../stores/calls/store.ts'
import { callsOwner } from './queries.ts'
import { spanUntilNow } from './span-until-now.ts'

type Request = {
  params: Owner
  query: z.output<typeof CallSpan> & {
    application_sid?: string | undefined
    time_zone?: string | undefined
  }
  scope: Scope
  ctx: Context
}
type Wanted = Pick<Request['query'], 'application_sid' | 'time_zone'> & { owner: Owner; span: Span }

/** A handler that tells figures of the calls of an account or a provider, until now. */
export const ownerFigures =
  <F>(figuresOf: (ctx: Context, wanted: Wanted) => Promise<F>) =>
  async ({ params, query, scope, ctx }: Request) => {
    const { application_sid, time_zone } = query
    const owner = await callsOwner(ctx, scope, params)
    return figuresOf(ctx, { owner, span: spanUntilNow(query), application_sid, time_zone })
  }
