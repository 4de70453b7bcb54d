import {
  type FileRead,
  fromServer,
  type ImportVerdict,
  numberText,
  type Progress,
  plural,
  t,
} from '@switchroom/contract'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { Dialog, DialogFoot } from '../ui/dialog'
import { FileField } from '../ui/file-field'
import { Notice } from '../ui/notice'
import { rich } from '../ui/rich'
import { TableHead } from '../ui/table-head'
import { toastSuccess } from '../ui/toast'
import { importFile } from './answers'
import type { Endpoint } from './endpoints'
import { messageOf } from './failure'
import { ImportColumns } from './import-columns'
import { ImportEncoding } from './import-encoding'
import { rememberColumns, rememberedColumns } from './remembered-columns'
import './import-dialog.css'

type Props = {
  endpoint: Endpoint & { takesCsv: number }
  /** "Import phone numbers" */
  title: string
  /** The report: "Imported 2,000 phone numbers". */
  imported: (rows: number) => string
  columns: readonly string[]
  params?: object
  query?: object
  /** Maximum number of rows of a file, if that is low. */
  most?: number | undefined
  /** Further information about the file format. */
  note?: string | undefined
  onClose: () => void
}

/** A file, with what a person says of it. */
type Source = { blob: Blob; charset?: string | undefined; columns?: string[] | undefined }

/** Validates a CSV file first and lists its errors by row; then imports all of it or nothing. */
export function ImportDialog({
  endpoint,
  title,
  imported,
  columns,
  params,
  query,
  most,
  note,
  onClose,
}: Props) {
  const [source, setSource] = useState<Source>()
  const [read, setRead] = useState<FileRead>()
  const [chosen, setChosen] = useState<string[]>([])
  const [progress, setProgress] = useState<Progress>()
  const [verdict, setVerdict] = useState<ImportVerdict>()
  const [error, setError] = useState<string>()
  const [running, setRunning] = useState<'try' | 'import'>()

  const request = useRef<AbortController>(undefined)
  // closing the dialog stops the import
  useEffect(() => () => request.current?.abort(), [])

  async function send({ columns: named, ...file }: Source, isDry: boolean) {
    const controller = new AbortController()
    request.current = controller
    let found: FileRead | undefined
    const verdict = await importFile(
      endpoint,
      {
        params,
        query: { ...query, columns: named?.join(','), ...(isDry && { dry_run: 1 }) },
      },
      file,
      {
        onRead: (next) => {
          found = next
        },
        onProgress: setProgress,
        signal: controller.signal,
      },
    )
    return { verdict, found }
  }

  /** Checks a file. Where it has headings that the server does not know, those that were chosen before are taken. */
  async function check(from: Source): Promise<void> {
    const { verdict, found } = await send(from, true)
    const known = from.columns ?? found?.headings.map(({ column }) => column ?? '') ?? []
    if (found && !found.guessed && !from.columns && found.headings.some((h) => !h.column)) {
      const before = await rememberedColumns(endpoint)
      const isKnown = (h: FileRead['headings'][number]) => h.column || before.has(h.heading)
      const named = found.headings.map((h) => before.get(h.heading) ?? h.column ?? '')
      if (found.headings.every(isKnown)) return check({ ...from, columns: named })
      setChosen(named)
    } else setChosen(known)
    setSource(from)
    setRead(found)
    setVerdict(verdict)
  }

  async function run(kind: 'try' | 'import', work: () => Promise<unknown>) {
    setRunning(kind)
    setProgress(undefined)
    setError(undefined)
    try {
      await work()
    } catch (e) {
      setError(messageOf(e) || String(e))
    } finally {
      setRunning(undefined)
    }
  }

  const tryFile = (from: Source) => {
    setVerdict(undefined)
    void run('try', () => check(from))
  }

  const importAll = (from: Source) =>
    run('import', async () => {
      const { verdict } = await send(from, false)
      if (verdict.added === 0) return setVerdict(verdict)
      if (read && from.columns) await rememberColumns(endpoint, read, from.columns)
      toastSuccess(imported(verdict.added))
      onClose()
    })

  const headings = read && !read.guessed ? read.headings : []
  const needsColumns = !source?.columns && headings.some(({ column }) => !column)
  const checked = source?.columns ?? headings.map(({ column }) => column ?? '')
  const isChecked = !needsColumns && (headings.length === 0 || checked.join() === chosen.join())
  return (
    <Dialog open wide onClose={onClose} title={title}>
      <FileField
        label={t('CSV file')}
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        chosen=""
        disabled={running !== undefined}
        onFile={(blob) => {
          setSource(undefined)
          setRead(undefined)
          tryFile({ blob })
        }}
      />
      <div className="import-about">
        <Columns columns={columns} />
        <p>
          {t('The file is checked first. Nothing is imported until every row is valid.')}
          {most && <> {plural(most, 'At most 1 row in one file.|At most {n} rows in one file.')}</>}
        </p>
        {note && <p>{note}</p>}
      </div>
      {running && (
        <div role="status">
          {progressText(running, progress)}
          <progress
            className="import-progress"
            aria-label={t('Progress')}
            {...(progress && { value: progress.done, max: progress.rows })}
          />
        </div>
      )}
      {error && <Notice tone="bad">{error}</Notice>}
      {source && read?.guessed && !running && (
        <ImportEncoding read={read} onTake={() => tryFile({ ...source, charset: read.encoding })} />
      )}
      {source && read && !read.guessed && (
        <details className="import-about" open={needsColumns || !!source.columns}>
          <summary>{t('Columns of the file')}</summary>
          {needsColumns && (
            <p>
              {t(
                'Some headings are unknown. Choose a field for each. Your choices are kept for the next file.',
              )}
            </p>
          )}
          <ImportColumns
            read={read}
            columns={columns}
            chosen={chosen}
            onChoose={setChosen}
            onCheck={isChecked ? undefined : () => tryFile({ ...source, columns: chosen })}
            busy={running !== undefined}
          />
        </details>
      )}
      {!running && verdict && !read?.guessed && isChecked && <Verdict verdict={verdict} />}
      <DialogFoot>
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button
          look="primary"
          disabled={!source || !verdict || verdict.bad_rows > 0 || !isChecked}
          busy={running === 'import'}
          onClick={() => source && void importAll(source)}
        >
          {verdict && verdict.bad_rows === 0
            ? plural(verdict.added, 'Import 1 row|Import {n} rows')
            : t('Import')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

const MOST_COLUMNS_IN_TEXT = 12

function Columns({ columns }: { columns: readonly string[] }) {
  const names = <code>{columns.join(', ')}</code>
  if (columns.length <= MOST_COLUMNS_IN_TEXT)
    return <p>{rich('The first line names the columns: {names}.', { names })}</p>
  return (
    <details>
      <summary>
        {plural(
          columns.length,
          'The first line names the columns, some of this one|The first line names the columns, some of these {n}',
        )}
      </summary>
      <p>{names}</p>
    </details>
  )
}

/** While rows are counted, how far it is. */
function progressText(running: 'try' | 'import', progress: Progress | undefined) {
  if (!progress) return running === 'try' ? t('Checking the file…') : t('Importing the file…')
  const values = { done: numberText(progress.done), rows: numberText(progress.rows) }
  return running === 'try'
    ? t('Checking {done} of {rows} rows…', values)
    : t('Importing {done} of {rows} rows…', values)
}

function Verdict({ verdict: { rows, bad_rows, problems } }: { verdict: ImportVerdict }) {
  if (bad_rows === 0)
    return <p role="status">{plural(rows, '1 row ready to import.|{n} rows ready to import.')}</p>
  return (
    <>
      <Notice tone="bad">
        {plural(
          bad_rows,
          '1 row has errors. Nothing was imported.|{n} rows have errors. Nothing was imported.',
        )}
      </Notice>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too */}
      <section className="import-problems" aria-label={t('Errors')} tabIndex={0}>
        <table>
          <TableHead of={[t('Line'), t('Column'), t('Problem')]} />
          <tbody>
            {problems.map((p) => (
              <tr key={`${p.line} ${p.column}`}>
                <td className="numbers">{p.line}</td>
                <td>{p.column}</td>
                <td>{fromServer(p.message)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {bad_rows > problems.length && (
        <p>{t('And {rows} more.', { rows: numberText(bad_rows - problems.length) })}</p>
      )}
    </>
  )
}
