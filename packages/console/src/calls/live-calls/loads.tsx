import type { AccountLoad, ProviderLoad } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/status'
import './loads.css'

/** Calls against limits, for the provider and its busiest accounts. */
export function Loads({
  accounts,
  provider,
}: {
  accounts: AccountLoad[]
  provider: ProviderLoad | null
}) {
  if (accounts.length === 0 && !provider?.limit) return null
  return (
    <ul className="live-loads" aria-label="Calls and limits">
      {/* without a limit it would only repeat the list's total */}
      {!!provider?.limit && <Load name="Service provider" load={provider} />}
      {accounts.map((a) => (
        <Load key={a.account_sid} name={a.name} load={a}>
          {(a.inbound !== null || a.outbound !== null) && (
            <span className="none numbers">
              SBC count: {a.inbound ?? 0} in, {a.outbound ?? 0} out
            </span>
          )}
        </Load>
      ))}
    </ul>
  )
}

function Load({
  name,
  load,
  children,
}: {
  name: string
  load: ProviderLoad
  children?: ReactNode
}) {
  const { calls, limit } = load
  return (
    <li>
      <span className="live-load-name">{name}</span>
      <span className="numbers">{usageText(load)}</span>
      {!!limit && (
        <meter
          aria-label={`Calls of ${name}`}
          min={0}
          max={limit}
          high={limit * 0.9}
          value={Math.min(calls, limit)}
        />
      )}
      {!!limit && calls >= limit && <Badge tone="warn">At its limit</Badge>}
      {children}
    </li>
  )
}

const usageText = ({ calls, limit }: ProviderLoad) =>
  limit ? `${calls} of ${limit}` : `${calls}, unlimited`
