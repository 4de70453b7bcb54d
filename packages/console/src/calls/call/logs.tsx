import { numberText, plural, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { query } from '../../lib/api'
import { callLogs } from '../../lib/endpoints'
import { statusOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { saveFile } from '../../lib/save-file'
import { Button } from '../../ui/button'
import { copyText } from '../../ui/copy'
import { EmptyState } from '../../ui/states'
import { toastError, toastSuccess } from '../../ui/toast'
import { logText } from './log-text'
import type { PartProps } from './part'
import './logs.css'

/** Entries shown at most, to keep the page fast; the download has all. */
const SHOWN = 2_000

/** The platform's logs of a call, loaded on request. */
export function Logs({ call, account_sid }: PartProps) {
  if (call.call_sid === null || account_sid === null)
    return <EmptyState text={t('There is no log for this call')} />
  return <LogsOf account_sid={account_sid} call_sid={call.call_sid} />
}

function LogsOf({ account_sid, call_sid }: { account_sid: string; call_sid: string }) {
  const logsQuery = query(callLogs.ofAccount, { params: { account_sid, call_sid }, query: {} })
  const { data, error, isFetching, refetch } = useQuery({
    ...logsQuery,
    enabled: false,
    retry: false,
  })
  return (
    <div className="logs">
      <Button busy={isFetching} onClick={() => void refetch()}>
        {isFetching ? t('Retrieving logs…') : t('Retrieve logs')}
      </Button>
      {error ? (
        statusOf(error) === 404 ? (
          <EmptyState text={t('There is no log for this call')} />
        ) : (
          <LoadError error={error} />
        )
      ) : data === undefined ? null : data === null || data.length === 0 ? (
        <EmptyState text={t('No logs found')} />
      ) : (
        <Lines lines={data} name={`${call_sid}.log`} />
      )}
    </div>
  )
}

function Lines({ lines, name }: { lines: readonly string[]; name: string }) {
  const [search, setSearch] = useState('')
  const texts = useMemo(() => lines.map(logText), [lines])
  const wanted = search.trim().toLowerCase()
  const matches = useMemo(
    () => (wanted ? texts.filter((text) => text.toLowerCase().includes(wanted)) : texts),
    [texts, wanted],
  )
  const copy = async () => {
    if (await copyText(matches.join('\n'))) toastSuccess(t('Logs copied to clipboard'))
    else toastError(t('Failed to copy logs'))
  }
  const save = () => saveFile(new Blob([texts.join('\n')], { type: 'text/plain' }), name)
  return (
    <>
      <div className="logs-tools">
        <label>
          <span className="visually-hidden">{t('Search the log')}</span>
          <input
            type="search"
            className="input"
            placeholder={t('Search')}
            value={search}
            onChange={(e) => setSearch(e.target.value)}
          />
        </label>
        <p role="status">
          {matches.length > SHOWN
            ? plural(
                texts.length,
                '{matches} of 1 entry, the first {shown} shown|{matches} of {n} entries, the first {shown} shown',
                { matches: numberText(matches.length), shown: SHOWN },
              )
            : plural(texts.length, '{matches} of 1 entry|{matches} of {n} entries', {
                matches: numberText(matches.length),
              })}
        </p>
        <Button size="small" onClick={() => void copy()}>
          {t('Copy')}
        </Button>
        <Button size="small" onClick={save}>
          {t('Download')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="logs-lines" tabIndex={0} aria-label={t('Log')}>
        {matches.slice(0, SHOWN).map((text, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never change their order
          <pre key={i}>{text}</pre>
        ))}
      </section>
    </>
  )
}
