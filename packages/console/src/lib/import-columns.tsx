import { type FileRead, Label, t } from '@switchroom/contract'
import { Button } from '../ui/button'
import { Select } from '../ui/select'
import { TableHead } from '../ui/table-head'

const labelOf = (column: string) => {
  const label = Label([column])
  return label.toLowerCase() === column.replaceAll('_', ' ') ? column : `${column} (${label})`
}

/** Maps each heading of a file to a field, with the first rows as a sample. */
export function ImportColumns({
  read: { headings, rows },
  columns,
  chosen,
  onChoose,
  onCheck,
  busy,
}: {
  read: FileRead
  columns: readonly string[]
  chosen: readonly string[]
  onChoose: (chosen: string[]) => void
  /** Missing while these columns are those that were checked. */
  onCheck: (() => void) | undefined
  busy: boolean
}) {
  const options = [
    { value: '', label: t('Leave out') },
    ...columns.map((column) => ({ value: column, label: labelOf(column) })),
  ]
  const isTwice = (column: string, at: number) => column !== '' && chosen.indexOf(column) < at
  return (
    <>
      <table className="import-columns">
        <TableHead of={[t('In the file'), t('First rows'), t('Field')]} />
        <tbody>
          {headings.map(({ heading }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two headings may be the same
            <tr key={i}>
              <th scope="row">{heading}</th>
              <td>
                {rows.map((row, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: so may two rows
                  <div key={at}>{row[i]}</div>
                ))}
              </td>
              <td>
                <Select
                  compact
                  aria-label={t('Field for “{heading}”', { heading })}
                  options={options}
                  value={chosen[i] ?? ''}
                  disabled={busy}
                  aria-invalid={isTwice(chosen[i] ?? '', i) || undefined}
                  onChange={(column) =>
                    onChoose(chosen.map((old, at) => (at === i ? column : old)))
                  }
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {onCheck && (
        <p>
          <Button size="small" disabled={busy} onClick={onCheck}>
            {t('Check the file with these columns')}
          </Button>
        </p>
      )}
    </>
  )
}
