import { type JudgedKind, numberText, t, type UsedKind } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { Fact } from '../ui/facts'
import { Skeleton } from '../ui/states'
import { Status } from '../ui/status'
import { PlainLink } from './plain-link'
import { StateAndWhy } from './state/state-and-why'
import { useVerdict } from './state/use-verdict'
import { AccountLink } from './thing-link'
import { useCapabilities } from './use-capabilities'
import { usedListHref } from './used-list'
import { useUses } from './uses-block'

// facts that the cards of several kinds of things have

export const none = (text = t('None')) => <span className="none">{text}</span>

export const Owner = ({
  account_sid,
  text = t('All accounts'),
}: {
  account_sid: string | null
  text?: string
}) => (account_sid ? <AccountLink account_sid={account_sid} /> : text)

export const Active = ({ of: { is_active } }: { of: { is_active: number | boolean } }) => (
  <Status tone={is_active ? 'ok' : 'off'}>{is_active ? t('Active') : t('Inactive')}</Status>
)

/** How many phone numbers a thing has. */
export function NumbersFact({ kind, sid }: { kind: UsedKind; sid: string }) {
  const ours = useCapabilities()
  const { data, error } = useUses(kind, sid)
  if (!ours) return null
  const numbers = data?.find((use) => use.of === 'phone_number')
  const list = usedListHref(kind, sid, 'phone_number')
  return (
    <Fact name={t('Phone numbers')}>
      {numbers && list ? (
        <PlainLink href={list}>{numberText(numbers.total)}</PlainLink>
      ) : data ? (
        none()
      ) : error ? (
        none(t('Unknown'))
      ) : (
        skeleton
      )}
    </Fact>
  )
}
export const skeleton = <Skeleton width={96} />

/** `children`: what is known of it on other servers. */
export function VerdictFact({
  kind,
  sid,
  children,
}: {
  kind: JudgedKind
  sid: string
  children?: ReactNode
}) {
  const { isOurs, verdict } = useVerdict(kind, sid)
  if (!isOurs) return children
  return (
    <Fact name={t('State')}>
      {verdict ? <StateAndWhy of={verdict} /> : verdict === null ? none(t('Unknown')) : skeleton}
    </Fact>
  )
}
