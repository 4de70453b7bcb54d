import { t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { TableHead } from '../ui/table-head'
import type { changeLines } from './change-lines'

/** The values of fields at two times, side by side. */
export const ValuesTable = ({
  heads: [was, is],
  lines,
  cell,
}: {
  heads: [was: string, is: string]
  lines: ReturnType<typeof changeLines>
  cell: (value: unknown) => ReactNode
}) => (
  <table className="audit-values">
    <TableHead of={[t('Field'), was, is]} />
    <tbody>
      {lines.map(({ field, was, is }) => (
        <tr key={field}>
          <th scope="row">{field}</th>
          <td>{cell(was)}</td>
          <td>{cell(is)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
