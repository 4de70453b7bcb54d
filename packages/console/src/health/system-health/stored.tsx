import { type HealthPart, numberText, type Stored, t } from '@switchroom/contract'
import { TableHead } from '../../ui/table-head'
import { sizeText } from './size-text'
import '../../lib/table.css'

const STORED: Record<Stored['what'], string> = {
  calls: t('Calls'),
  points: t('Alerts and counts'),
  spans: t('Spans'),
  messages: t('SIP and RTCP messages'),
  others: t('Totals and indexes'),
}

/** Records stored in ClickHouse: amount of each kind, and since when. Nothing if it does not report them. */
export function StoredRecords({ parts }: { parts: HealthPart[] }) {
  const stored = parts.find(({ part }) => part === 'clickhouse')?.stored
  if (!stored || stored.length === 0) return null
  return (
    <section className="parts" aria-labelledby="stored-title">
      <h2 id="stored-title">{t('Stored in ClickHouse')}</h2>
      <div className="table-box">
        <table className="table" aria-labelledby="stored-title">
          <TableHead
            of={[t('Data'), { end: t('Rows, about') }, { end: t('Size') }, t('Oldest day')]}
          />
          <tbody>
            {stored.map(({ what, rows, bytes, oldest_day }) => (
              <tr key={what}>
                <td>{STORED[what]}</td>
                <td data-label={t('Rows, about')} data-align="end">
                  {numberText(rows)}
                </td>
                <td data-label={t('Size')} data-align="end">
                  {sizeText(bytes)}
                </td>
                <td data-label={t('Oldest day')}>{oldest_day ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
