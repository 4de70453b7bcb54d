import { type AccountLoad, type ProviderLoad, t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { rich } from '../../ui/rich'
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
    <ul className="live-loads" aria-label={t('Calls and limits')}>
      {/* without a limit it would only repeat the list's total */}
      {!!provider?.limit && <Load name={t('Service provider')} load={provider} />}
      {accounts.map((a) => (
        <Load key={a.account_sid} name={a.name} load={a}>
          {(a.inbound !== null || a.outbound !== null) && (
            <span className="none numbers">
              {rich('SBC count: {inbound} in, {outbound} out', {
                inbound: a.inbound ?? 0,
                outbound: a.outbound ?? 0,
              })}
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
          aria-label={t('Calls of {name}', { name })}
          min={0}
          max={limit}
          high={limit * 0.9}
          value={Math.min(calls, limit)}
        />
      )}
      {!!limit && calls >= limit && <Badge tone="warn">{t('At its limit')}</Badge>}
      {children}
    </li>
  )
}

const usageText = ({ calls, limit }: ProviderLoad) =>
  limit ? t('{calls} of {limit}', { calls, limit }) : t('{calls}, unlimited', { calls })
