import { AUDIT_KINDS, t, type UsedKind } from '@switchroom/contract'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { Button } from '../ui/button'
import { Facts } from '../ui/facts'
import { Sid } from '../ui/sid'
import { Skeleton } from '../ui/states'
import { messageOf, statusOf } from './failure'
import type { ThingOwner } from './follow-provider'
import { INLINE } from './inline'
import { PlainLink } from './plain-link'
import { NumbersFact } from './thing-facts'
import { type ThingKind, thingHref } from './thing-href'

const KIND_TEXT = { ...AUDIT_KINDS, lcr: t('Routing table') }

type CallsOf = { application_sid?: string; trunk?: string; filter?: string }
export type CardProps = {
  sid: string
  /** Calls of the resource, given by the frame since most rooms do not know calls. */
  Calls: ComponentType<{ owner: ThingOwner; of?: CallsOf }>
}

type Options<T> = UseQueryOptions<T, Error, T, readonly unknown[]>

/** The card of a kind of thing: a few facts, which it asks for by itself. */
export function cardOf<T extends object>({
  kind,
  useView,
  name,
  facts,
  used,
  calls,
}: {
  kind: ThingKind
  useView: (sid: string) => Options<T>
  name: (thing: T) => ReactNode
  facts: (thing: T) => ReactNode
  /** Says how many phone numbers it has. */
  used?: UsedKind
  /** Which of its owner's calls are its. */
  calls?: (thing: T) => CallsOf
}) {
  const what = KIND_TEXT[kind]
  return function Card({ sid, Calls }: CardProps) {
    const { data, error, refetch } = useQuery({ ...useView(sid), ...INLINE })
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
          <Facts>
            {facts(data)}
            {used && <NumbersFact kind={used} sid={sid} />}
            {calls && <Calls owner={data} of={calls(data)} />}
          </Facts>
        ) : error ? (
          <Failed what={what} error={error} retry={() => void refetch()} />
        ) : (
          <CardLoading />
        )}
        <footer>
          <Sid sid={sid} />
          <PlainLink href={thingHref(kind, sid)}>{t('Open page')}</PlainLink>
        </footer>
      </>
    )
  }
}

const LINES = [0, 1, 2, 3, 4]

export const CardLoading = () => (
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
