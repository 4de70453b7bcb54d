import { fromServer, type ThingUse, t, type UsedKind } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { rich } from '../ui/rich'
import { messageOf, statusOf } from './failure'
import { UseItems } from './use-items'
import { usedListHref } from './used-list'
import { usesOf } from './uses-of'

/** Usage of a resource, shown before it is deleted. `remedy`: action for one of its uses. */
export function Uses({
  kind,
  sid,
  remedy,
}: {
  kind: UsedKind
  sid: string
  remedy?: ((use: ThingUse) => ReactNode) | undefined
}) {
  const found = useQuery(usesOf(kind, sid))
  if (found.isPending) return <p className="used-by-none">{t('Checking what uses it…')}</p>
  // not every server tells
  if (statusOf(found.error) === 404) return null
  if (found.error)
    return (
      <p className="used-by-none">
        {rich('Could not check what uses it. {message}', { message: messageOf(found.error) })}
      </p>
    )
  if (found.data.length === 0) return <p className="used-by-none">{t('Nothing uses it.')}</p>
  return (
    <div className="used-by">
      {found.data.map((use) => (
        <section key={`${use.kind} ${use.blocks}`}>
          <h3>
            {`${fromServer(use.kind)} (${use.total})`}
            {use.blocks && (
              <span className="used-by-first"> {t('must be moved or deleted first')}</span>
            )}
          </h3>
          <UseItems use={use} moreHref={usedListHref(kind, sid, use.of)} />
          {use.blocks && remedy?.(use)}
        </section>
      ))}
    </div>
  )
}
