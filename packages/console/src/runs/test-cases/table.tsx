import { numberText, type TestCaseItem, t } from '@switchroom/contract'
import { Play } from 'lucide-react'
import { mayWrite } from '../../lib/access'
import { PlainLink } from '../../lib/plain-link'
import { deleteAction, editAction, type RowAction, RowActions } from '../../lib/row-actions'
import { rowKeys } from '../../lib/row-keys'
import { Status } from '../../ui/status'
import { TableHead } from '../../ui/table-head'
import { Time } from '../../ui/time'
import { runHref } from '../runs/run-href'
import { testCaseHref } from './queries'
import { RESULTS, resultOf } from './results'
import '../../lib/table.css'

type Handlers = {
  onRun: (testCase: TestCaseItem) => void
  onDelete: (testCase: TestCaseItem) => void
}

export const TestCaseTable = ({
  cases,
  ...handlers
}: Handlers & { cases: readonly TestCaseItem[] }) => (
  <div className="table-box">
    <table className="table" aria-label={t('Test cases')}>
      <TableHead
        of={[
          t('Name'),
          { end: t('Expectations') },
          t('Result'),
          t('Latest run'),
          mayWrite() && { hidden: t('Actions'), className: 'table-actions' },
        ]}
      />
      <tbody ref={rowKeys}>
        {cases.map((one) => (
          <Row key={one.test_case_sid} testCase={one} {...handlers} />
        ))}
      </tbody>
    </table>
  </div>
)

function Row({ testCase, onRun, onDelete }: Handlers & { testCase: TestCaseItem }) {
  const { application_sid, name, expectations, latest_run } = testCase
  const result = resultOf(testCase)
  const href = testCaseHref(testCase)
  const run: RowAction = {
    label: t('Run test case'),
    icon: <Play />,
    onClick: () => onRun(testCase),
    common: true,
  }
  return (
    <tr>
      <td data-label={t('Name')}>
        <PlainLink href={href} className="table-link">
          {name}
        </PlainLink>
      </td>
      <td data-label={t('Expectations')} data-align="end">
        {numberText(expectations.length)}
      </td>
      <td data-label={t('Result')}>
        <Status tone={RESULTS[result].tone}>{RESULTS[result].text}</Status>
      </td>
      <td data-label={t('Latest run')}>
        {latest_run && (
          <span className="case-latest">
            <Time at={latest_run.begun_at} />
            <PlainLink href={runHref({ application_sid, run_sid: latest_run.run_sid })}>
              {t('Open run')}
            </PlainLink>
          </span>
        )}
      </td>
      {mayWrite() && (
        <td className="table-actions">
          <RowActions
            actions={[
              ...(result === 'running' ? [] : [run]),
              { ...editAction(t('Edit test case'), href), common: false },
              deleteAction(t('Delete test case'), () => onDelete(testCase)),
            ]}
          />
        </td>
      )}
    </tr>
  )
}
