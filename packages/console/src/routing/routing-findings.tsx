import { fromServer, type RoutingFinding, type RoutingFix, t } from '@switchroom/contract'
import { TriangleAlert } from 'lucide-react'
import { Button } from '../ui/button'
import { rich } from '../ui/rich'
import './routing-findings.css'

const fixText = (fix: RoutingFix) =>
  'pattern' in fix ? t('Change it to {pattern}', { pattern: fix.pattern }) : t('Remove the route')

/** Likely mistakes in a set of routes, with fixes if `onFix` is given. */
export function RoutingFindings({
  findings,
  onFix,
}: {
  findings: readonly RoutingFinding[]
  onFix?: (route: number, fix: RoutingFix) => void
}) {
  if (findings.length === 0) return <p className="hint">{t('No problems found.')}</p>
  return (
    <ul className="routing-findings">
      {findings.map(({ rule, route, message, example, fix }) => (
        <li key={`${rule} ${route}`}>
          <TriangleAlert aria-hidden />
          <div>
            <p>{fromServer(message)}</p>
            <p className="routing-example">
              {rich('For example {example}', {
                example: <span className="numbers">{example}</span>,
              })}
              {fix && !onFix && <>. {fixText(fix)}.</>}
            </p>
          </div>
          {fix && onFix && route !== null && (
            <Button size="small" onClick={() => onFix(route, fix)}>
              {fixText(fix)}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
