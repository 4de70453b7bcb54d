import { t } from '@switchroom/contract'
import type { ReactNode } from 'react'
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
    <thead>
      <tr>
        <th scope="col">{t('Field')}</th>
        <th scope="col">{was}</th>
        <th scope="col">{is}</th>
      </tr>
    </thead>
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
