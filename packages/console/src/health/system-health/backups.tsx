import { type Backups as Answer, type BackupRun, fromServer, plural, t } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { query, queryClient, send } from '../../lib/api'
import { backups } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { EmptyState, LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { TableHead } from '../../ui/table-head'
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

/** Backups: contents, schedule and target, and a button to start one now. */
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
    if (newest.state === 'done') toastSuccess(t('Backup complete'))
  }, [asked, newest])

  const busy = make.isPending || asked !== undefined || newest?.state === 'running'
  // an error is out of date as soon as another backup has begun
  const refusal = make.variables?.newest === newest?.began_at ? make.error : null
  return (
    <section className="parts backups" aria-labelledby="backups-title">
      <header className="backups-head">
        <h2 id="backups-title">{t('Backups')}</h2>
        {data?.scheduled && mayWrite() && (
          <Button
            size="small"
            busy={busy}
            onClick={() => make.mutate({ newest: newest?.began_at })}
          >
            {busy ? t('Backing up…') : t('Back up now')}
          </Button>
        )}
      </header>
      {refusal && (
        <Notice tone="bad">
          {rich('The backup was not started. {message}', { message: messageOf(refusal) })}
        </Notice>
      )}
      {error && data && (
        <Notice tone="warn">
          {rich('This list may be out of date. {message}', { message: messageOf(error) })}
        </Notice>
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
        <LoadingState text={t('Loading backups')} />
      )}
    </section>
  )
}

const NotScheduled = ({ database }: Pick<Answer, 'database'>) => (
  <>
    <p className="backups-about">
      {rich(
        'No backups are scheduled: set {folder_variable} to a folder and {passphrase_file} to a file with a passphrase, then restart the server.',
        {
          folder_variable: <code>SWITCHROOM_BACKUP_TO</code>,
          passphrase_file: <code>SWITCHROOM_BACKUP_PASSPHRASE_FILE</code>,
        },
      )}
    </p>
    {!database && <WithoutDatabase />}
  </>
)

const WithoutDatabase = () => (
  <p className="backups-about">
    {rich(
      'The database is not included. Dump it at the same time with {command}, and keep the values of {token_secret} and {encryption_secret}.',
      {
        command: <code>mariadb-dump --single-transaction</code>,
        token_secret: <code>JWT_SECRET</code>,
        encryption_secret: <code>ENCRYPTION_SECRET</code>,
      },
    )}
  </p>
)

function Scheduled({ answer }: { answer: Answer }) {
  const { schedule, folder, next_at, keep, recordings, database, runs, files } = answer
  const isRunning = runs[0]?.state === 'running'
  return (
    <>
      <p className="backups-about">
        {rich('{schedule}, to {folder}. {kept} {recordings}', {
          schedule:
            'at' in schedule
              ? t('Daily at {at}, server time', { at: schedule.at })
              : everyText(schedule.hours),
          folder: <span className="mono">{folder}</span>,
          kept: plural(keep, 'Only the newest one is kept.|The newest {n} are kept.'),
          recordings: recordings
            ? t('Recordings are included.')
            : t('Recordings are not included.'),
        })}{' '}
        {next_at && !isRunning && rich('Next backup: {time}.', { time: <Time at={next_at} /> })}
      </p>
      {!database && <WithoutDatabase />}
      <LastRun runs={runs} />
      {files.length > 0 ? (
        <Files files={files} />
      ) : (
        <div className="table-box">
          <EmptyState text={t('No backups in this folder.')} />
        </div>
      )}
    </>
  )
}

const everyText = (hours: number) => plural(hours, 'Every hour|Every {n} hours')

/** State of a running backup, and the last failure. */
function LastRun({ runs }: { runs: readonly BackupRun[] }) {
  const running = runs.find(({ state }) => state === 'running')
  const latest = runs.find(({ state }) => state !== 'running')
  const failed = runs.find(({ state }) => state === 'failed')
  return (
    <>
      <p className="backups-about" role="status">
        {running && (
          <Status tone="info">
            {rich('Backup in progress, started {time}', { time: <Time at={running.began_at} /> })}
          </Status>
        )}
      </p>
      {failed && failed === latest && (
        <Notice tone="bad">
          {rich('The last backup failed {time}. {sentence}', {
            time: <Time at={failed.ended_at} />,
            sentence: failed.sentence && fromServer(failed.sentence),
          })}
        </Notice>
      )}
      {latest?.state === 'done' && latest.sentence && (
        <Notice tone="warn">
          {rich('The last backup has warnings. {sentence}', {
            sentence: latest.sentence && fromServer(latest.sentence),
          })}
        </Notice>
      )}
      {failed && failed !== latest && (
        <p className="backups-about">
          {rich('Last error {time}: {sentence}', {
            time: <Time at={failed.ended_at} />,
            sentence: failed.sentence && fromServer(failed.sentence),
          })}
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
          <TableHead of={[timeHeader(), t('File'), { end: t('Size') }, t('Status')]} />
          <tbody>
            {shown.map(({ name, at, bytes }) => (
              <tr key={name}>
                <td>
                  <Moment at={at} />
                </td>
                <td data-label={t('File')} className="backups-file">
                  <span className="mono">{name}</span>
                </td>
                <td data-label={t('Size')} data-align="end">
                  {sizeText(bytes)}
                </td>
                <td data-label={t('Status')}>
                  {/* a file gets its name only after it was encrypted, read back and verified */}
                  <Status tone="ok">{t('Verified, encrypted')}</Status>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < files.length && (
        <Button size="small" onClick={() => setShowsAll(true)}>
          {rich('Show all {files}', { files: files.length })}
        </Button>
      )}
    </>
  )
}
