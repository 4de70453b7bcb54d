import type { ImportVerdict } from '@switchroom/contract'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { Dialog, DialogFoot } from '../ui/dialog'
import { FileField } from '../ui/file-field'
import { Notice } from '../ui/notice'
import { toastSuccess } from '../ui/toast'
import type { Endpoint } from './endpoints'
import { messageOf } from './failure'
import { importFile } from './import-file'
import './import-dialog.css'

type Props = {
  endpoint: Endpoint & { takesCsv: number }
  /** "phone numbers" */
  what: string
  /** What a row is, if several may be one of them: "rows of carriers". */
  unit?: string | undefined
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
  what,
  unit,
  columns,
  params,
  query,
  most,
  note,
  onClose,
}: Props) {
  const [file, setFile] = useState<File>()
  const [progress, setProgress] = useState<{ done: number; rows: number }>()
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
      const result = await importFile(endpoint, sent, chosen, setProgress, controller.signal)
      if (kind === 'import' && result.added > 0) {
        toastSuccess(`Imported ${result.added.toLocaleString()} ${unit ?? what}`)
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
    <Dialog open wide onClose={onClose} title={`Import ${what}`}>
      <FileField
        label="CSV file"
        accept=".csv,text/csv"
        chosen=""
        disabled={running !== undefined}
        onFile={choose}
      />
      <div className="import-about">
        <Columns columns={columns} />
        <p>
          The file is checked first. Nothing is imported until every row is valid.
          {most && ` At most ${most.toLocaleString()} rows in one file.`}
        </p>
        {note && <p>{note}</p>}
      </div>
      {running && (
        <div role="status">
          {running === 'try' ? 'Checking' : 'Importing'}
          {progress
            ? ` ${progress.done.toLocaleString()} of ${progress.rows.toLocaleString()} rows…`
            : ' the file…'}
          <progress
            className="import-progress"
            aria-label="Progress"
            {...(progress && { value: progress.done, max: progress.rows })}
          />
        </div>
      )}
      {error && <Notice tone="bad">{error}</Notice>}
      {!running && verdict && <Verdict verdict={verdict} />}
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={!file || !verdict || verdict.bad_rows > 0}
          busy={running === 'import'}
          onClick={() => file && void run(file, 'import')}
        >
          {verdict && verdict.bad_rows === 0
            ? `Import ${verdict.added.toLocaleString()} rows`
            : 'Import'}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

const MOST_COLUMNS_IN_TEXT = 12

function Columns({ columns }: { columns: readonly string[] }) {
  const about = 'The first line names the columns'
  const names = <code>{columns.join(', ')}</code>
  if (columns.length <= MOST_COLUMNS_IN_TEXT)
    return (
      <p>
        {about}: {names}.
      </p>
    )
  return (
    <details>
      <summary>
        {about}, some of these {columns.length}
      </summary>
      <p>{names}</p>
    </details>
  )
}

function Verdict({ verdict: { rows, bad_rows, problems } }: { verdict: ImportVerdict }) {
  if (bad_rows === 0)
    return (
      <p role="status">{rows === 1 ? '1 row' : `${rows.toLocaleString()} rows`} ready to import.</p>
    )
  return (
    <>
      <Notice tone="bad">
        {bad_rows === 1 ? '1 row has' : `${bad_rows.toLocaleString()} rows have`} errors. Nothing
        was imported.
      </Notice>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too */}
      <section className="import-problems" aria-label="Errors" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Column</th>
              <th scope="col">Problem</th>
            </tr>
          </thead>
          <tbody>
            {problems.map((p) => (
              <tr key={`${p.line} ${p.column}`}>
                <td className="numbers">{p.line}</td>
                <td>{p.column}</td>
                <td>{p.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {bad_rows > problems.length && (
        <p>And {(bad_rows - problems.length).toLocaleString()} more.</p>
      )}
    </>
  )
}
