import type { AccountLoad } from '@switchroom/contract'
import { Badge } from '../ui/status'
import './loads.css'

/** How much of their limits the busiest accounts use. */
export function Loads({ accounts }: { accounts: AccountLoad[] }) {
  if (accounts.length === 0) return null
  return (
    <ul className="live-loads" aria-label="Calls by account">
      {accounts.map((a) => (
        <li key={a.account_sid}>
          <span className="live-load-name">{a.name}</span>
          <span className="numbers">{used(a)}</span>
          {!!a.limit && (
            <meter
              aria-label={`Calls of ${a.name}`}
              min={0}
              max={a.limit}
              high={a.limit * 0.9}
              value={Math.min(a.calls, a.limit)}
            />
          )}
          {!!a.limit && a.calls >= a.limit && <Badge tone="warn">At its limit</Badge>}
          {(a.inbound !== null || a.outbound !== null) && (
            <span className="none numbers">
              {a.inbound ?? 0} in, {a.outbound ?? 0} out counted
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

const used = ({ calls, limit }: AccountLoad) =>
  limit ? `${calls} of ${limit}` : `${calls}, unlimited`
