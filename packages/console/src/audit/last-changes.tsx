import { type AuditEntry, actionText, plural, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { query } from '../lib/api'
import { BlockQuery } from '../lib/block-query'
import { audit } from '../lib/endpoints'
import { INLINE } from '../lib/inline'
import { PlainLink } from '../lib/plain-link'
import { historyHref } from '../lib/thing-href'
import { useCapabilities } from '../lib/use-capabilities'
import { Block } from '../ui/block'
import { Time } from '../ui/time'
import './last-changes.css'

const Entry = lazy(async () => ({ default: (await import('./entry')).Entry }))
const SHOWN = 5

/** The block "Last changes" of an overview: who changed what, each opening its entry of the audit log. */
export function LastChanges({ sid }: { sid: string }) {
  const ours = useCapabilities()
  const entries = useQuery({
    ...query(audit.list, { query: { sid, page: 1, page_size: SHOWN } }),
    ...INLINE,
    enabled: !!ours,
  })
  const [opened, setOpened] = useState<AuditEntry>()
  if (!ours) return null
  const [newest] = entries.data?.data ?? []
  const more = newest && (
    <span className="changes-more">
      <PlainLink href={historyHref(newest.kind, sid)}>{t('History')}</PlainLink>
      {(entries.data?.total ?? 0) > SHOWN && (
        <PlainLink href={`/internal/audit-log?sid=${sid}`}>{t('All changes')}</PlainLink>
      )}
    </span>
  )
  return (
    <Block title={t('Last changes')} action={more}>
      <BlockQuery query={entries} lines={SHOWN}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="block-empty">{t('No changes recorded yet.')}</p>
          ) : (
            <ol className="changes">
              {data.map((entry) => (
                <li key={entry.seq}>
                  <button type="button" className="change" onClick={() => setOpened(entry)}>
                    {changeOf(entry)}
                  </button>
                  <span className="change-by">
                    {entry.actor}, <Time at={entry.at} />
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </BlockQuery>
      <Suspense>{opened && <Entry entry={opened} onClose={() => setOpened(undefined)} />}</Suspense>
    </Block>
  )
}

const NAMED = 3

/** "Changed: name, is_active". */
function changeOf(entry: AuditEntry) {
  const { action, after } = entry
  const fields = action === 'update' ? Object.keys(after ?? {}) : []
  if (fields.length === 0) return actionText(entry)
  const more = fields.length - NAMED
  const shown = fields.slice(0, NAMED).join(', ')
  const named =
    more > 0 ? plural(more, '{shown} and 1 more|{shown} and {n} more', { shown }) : shown
  return `${actionText(entry)}: ${named}`
}
