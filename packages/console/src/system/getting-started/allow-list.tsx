import { type GettingStarted, t } from '@switchroom/contract'
import { CopyLines } from './copy-lines'

/** The addresses that a carrier has to accept calls from. */
export function AllowList({ sbcs }: { sbcs: GettingStarted['sbcs'] }) {
  if (sbcs.length === 0)
    return (
      <p className="step-note">
        {t('The addresses for the carrier’s allow-list are known once an SBC has registered.')}
      </p>
    )
  return (
    <CopyLines
      label={t('Addresses for the carrier’s allow-list')}
      lines={sbcs.map(({ ipv4, port }) => `${ipv4}:${port}`).join('\n')}
    />
  )
}
