import { AUDIT_KINDS, t } from '@switchroom/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf, statusOf } from '../lib/failure'
import { PlainLink } from '../lib/plain-link'
import { type ThingKind, thingHref } from '../lib/thing-href'
import { Button } from '../ui/button'
import { Facts } from '../ui/facts'
import { Sid } from '../ui/sid'
import { Skeleton } from '../ui/states'

const KIND_TEXT = { ...AUDIT_KINDS, lcr: t('Routing table') }

/** The card of a thing that has been asked for. */
export function PeekOf<T>({
  kind,
  sid,
  asked: { data, error, refetch },
  name,
  children,
}: {
  kind: ThingKind
  sid: string
  asked: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  name: (thing: T) => ReactNode
  children: (thing: T) => ReactNode
}) {
  const what = KIND_TEXT[kind]
  return (
    <>
      <header>
        <p className="peek-kind">{what}</p>
        {data !== undefined ? (
          <p className="peek-name">{name(data)}</p>
        ) : (
          !error && <Skeleton width={160} height={20} />
        )}
      </header>
      {data !== undefined ? (
        <Facts>{children(data)}</Facts>
      ) : error ? (
        <Failed what={what} error={error} retry={() => void refetch()} />
      ) : (
        <PeekLoading />
      )}
      <footer>
        <Sid sid={sid} />
        <PlainLink href={thingHref(kind, sid)}>{t('Open page')}</PlainLink>
      </footer>
    </>
  )
}

const LINES = [0, 1, 2, 3, 4]

export const PeekLoading = () => (
  <div className="peek-loading" role="status" aria-label={t('Loading')}>
    {LINES.map((n) => (
      <Skeleton key={n} width={n % 2 ? '70%' : '90%'} />
    ))}
  </div>
)

function Failed({ what, error, retry }: { what: string; error: unknown; retry: () => void }) {
  const status = statusOf(error)
  if (status === 404)
    return (
      <p className="none">
        {t('{what} not found. It was deleted, or you do not have access to it.', { what })}
      </p>
    )
  if (status === 403) return <p className="none">{t('You do not have permission to see this.')}</p>
  return (
    <p>
      {messageOf(error)}{' '}
      <Button size="small" onClick={retry}>
        {t('Try again')}
      </Button>
    </p>
  )
}
