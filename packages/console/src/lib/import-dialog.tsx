import {
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
import { toastSuccess } from '../ui/toast'
import type { Endpoint } from './endpoints'
import { messageOf } from './failure'
import { importFile } from './import-file'
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
  /** How many rows a file may have, if that is few. */
  most?: number | undefined
  /** What else there is to know about the file. */
  note?: string | undefined
  onClose: () => void
}

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
  const [file, setFile] = useState<File>()
  const [progress, setProgress] = useState<Progress>()
  const [verdict, setVerdict] = useState<ImportVerdict>()
  const [error, setError] = useState<string>()
  const [running, setRunning] = useState<'try' | 'import'>()

  const request = useRef<AbortController>(undefined)
  // whoever closes the dialog means to stop it
  useEffect(() => () => request.current?.abort(), [])

  async function run(chosen: File, kind: 'try' | 'import') {
    const controller = new AbortController()
    request.current = controller
    setRunning(kind)
    setProgress(undefined)
    setError(undefined)
    try {
      const sent = { params, query: { ...query, ...(kind === 'try' && { dry_run: 1 }) } }
      const result = await importFile(
        endpoint,
        sent,
        { blob: chosen },
        { onRead: () => undefined, onProgress: setProgress, signal: controller.signal },
      )
      if (kind === 'import' && result.added > 0) {
        toastSuccess(imported(result.added))
        return onClose()
      }
      setVerdict(result)
    } catch (e) {
      setError(messageOf(e) || String(e))
    } finally {
      setRunning(undefined)
    }
  }

  const choose = (chosen: File) => {
    setFile(chosen)
    setVerdict(undefined)
    void run(chosen, 'try')
  }

  return (
    <Dialog open wide onClose={onClose} title={title}>
      <FileField
        label={t('CSV file')}
        accept=".csv,text/csv"
        chosen=""
        disabled={running !== undefined}
        onFile={choose}
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
      {!running && verdict && <Verdict verdict={verdict} />}
      <DialogFoot>
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button
          look="primary"
          disabled={!file || !verdict || verdict.bad_rows > 0}
          busy={running === 'import'}
          onClick={() => file && void run(file, 'import')}
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
          <thead>
            <tr>
              <th scope="col">{t('Line')}</th>
              <th scope="col">{t('Column')}</th>
              <th scope="col">{t('Problem')}</th>
            </tr>
          </thead>
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
