import type { Backups as Answer, BackupRun } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { query, queryClient, send } from '../../lib/api'
import { backups } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { EmptyState, LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Moment, Time, timeHeader } from '../../ui/time'
import { toastSuccess } from '../../ui/toast'
import { sizeText } from './size-text'
import '../../lib/table.css'
import './backups.css'

const REFRESH_MS = 30_000
const WHILE_RUNNING_MS = 1_500
const SHOWN = 10
const view = query(backups.view, {})

/** The newest run when the user asked for another; `began_at` is undefined if there was none. */
type Asked = { newest: string | undefined }

/** What is backed up, when and where to, and a button to do it now. */
export function Backups() {
  const [asked, setAsked] = useState<Asked>()
  const list = useQuery({
    ...view,
    refetchInterval: ({ state }) =>
      asked || state.data?.runs[0]?.state === 'running' ? WHILE_RUNNING_MS : REFRESH_MS,
    retry: false,
    staleTime: 0,
    meta: { background: true },
  })
  const { data, error } = list
  const newest = data?.runs[0]
  const make = useMutation({
    mutationFn: (_: Asked) => send(backups.make, {}),
    onSuccess: (_, before) => setAsked(before),
    onError: () => queryClient.invalidateQueries({ queryKey: view.queryKey }),
  })
  useEffect(() => {
    if (!asked || !newest || newest.began_at === asked.newest || newest.state === 'running') return
    setAsked(undefined)
    if (newest.state === 'done') toastSuccess('Backup complete')
  }, [asked, newest])

  const busy = make.isPending || asked !== undefined || newest?.state === 'running'
  // an error is out of date as soon as another backup has begun
  const refusal = make.variables?.newest === newest?.began_at ? make.error : null
  return (
    <section className="parts backups" aria-labelledby="backups-title">
      <header className="backups-head">
        <h2 id="backups-title">Backups</h2>
        {data?.scheduled && mayWrite() && (
          <Button
            size="small"
            busy={busy}
            onClick={() => make.mutate({ newest: newest?.began_at })}
          >
            {busy ? 'Backing up…' : 'Back up now'}
          </Button>
        )}
      </header>
      {refusal && <Notice tone="bad">The backup was not started. {messageOf(refusal)}</Notice>}
      {error && data && (
        <Notice tone="warn">This list may be out of date. {messageOf(error)}</Notice>
      )}
      {data ? (
        data.scheduled ? (
          <Scheduled answer={data} />
        ) : (
          <NotScheduled database={data.database} />
        )
      ) : error ? (
        <div className="table-box">
          <LoadError error={error} retry={list.refetch} />
        </div>
      ) : (
        <LoadingState text="Loading backups" />
      )}
    </section>
  )
}

const NotScheduled = ({ database }: Pick<Answer, 'database'>) => (
  <>
    <p className="backups-about">
      No backups are scheduled: set <code>SWITCHROOM_BACKUP_TO</code> to a folder and{' '}
      <code>SWITCHROOM_BACKUP_PASSPHRASE_FILE</code> to a file with a passphrase, then restart the
      server.
    </p>
    {!database && <WithoutDatabase />}
  </>
)

const WithoutDatabase = () => (
  <p className="backups-about">
    The database is not included. Dump it at the same time with{' '}
    <code>mariadb-dump --single-transaction</code>, and keep the values of <code>JWT_SECRET</code>{' '}
    and <code>ENCRYPTION_SECRET</code>.
  </p>
)

function Scheduled({ answer }: { answer: Answer }) {
  const { schedule, folder, next_at, keep, recordings, database, runs, files } = answer
  const isRunning = runs[0]?.state === 'running'
  return (
    <>
      <p className="backups-about">
        {'at' in schedule ? `Daily at ${schedule.at}, server time` : everyText(schedule.hours)}, to{' '}
        <span className="mono">{folder}</span>.{' '}
        {keep === 1 ? 'Only the newest one is kept.' : `The newest ${keep} are kept.`}{' '}
        {recordings ? 'Recordings are included.' : 'Recordings are not included.'}{' '}
        {next_at && !isRunning && (
          <>
            Next backup: <Time at={next_at} />.
          </>
        )}
      </p>
      {!database && <WithoutDatabase />}
      <LastRun runs={runs} />
      {files.length > 0 ? (
        <Files files={files} />
      ) : (
        <div className="table-box">
          <EmptyState text="No backups in this folder." />
        </div>
      )}
    </>
  )
}

const everyText = (hours: number) => (hours === 1 ? 'Every hour' : `Every ${hours} hours`)

/** Whether a backup is being made, and what went wrong last. */
function LastRun({ runs }: { runs: readonly BackupRun[] }) {
  const running = runs.find(({ state }) => state === 'running')
  const latest = runs.find(({ state }) => state !== 'running')
  const failed = runs.find(({ state }) => state === 'failed')
  return (
    <>
      <p className="backups-about" role="status">
        {running && (
          <Status tone="info">
            Backup in progress, started <Time at={running.began_at} />
          </Status>
        )}
      </p>
      {failed && failed === latest && (
        <Notice tone="bad">
          The last backup failed <Time at={failed.ended_at} />. {failed.sentence}
        </Notice>
      )}
      {latest?.state === 'done' && latest.sentence && (
        <Notice tone="warn">The last backup has warnings. {latest.sentence}</Notice>
      )}
      {failed && failed !== latest && (
        <p className="backups-about">
          Last error <Time at={failed.ended_at} />: {failed.sentence}
        </p>
      )}
    </>
  )
}

function Files({ files }: Pick<Answer, 'files'>) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? files : files.slice(0, SHOWN)
  return (
    <>
      <div className="table-box">
        <table className="table" aria-labelledby="backups-title">
          <thead>
            <tr>
              <th scope="col">{timeHeader()}</th>
              <th scope="col">File</th>
              <th scope="col" data-align="end">
                Size
              </th>
              <th scope="col">Status</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ name, at, bytes }) => (
              <tr key={name}>
                <td>
                  <Moment at={at} />
                </td>
                <td data-label="File" className="backups-file">
                  <span className="mono">{name}</span>
                </td>
                <td data-label="Size" data-align="end">
                  {sizeText(bytes)}
                </td>
                <td data-label="Status">
                  {/* a file gets its name only after it was encrypted, read back and verified */}
                  <Status tone="ok">Verified, encrypted</Status>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < files.length && (
        <Button size="small" onClick={() => setShowsAll(true)}>
          Show all {files.length}
        </Button>
      )}
    </>
  )
}
