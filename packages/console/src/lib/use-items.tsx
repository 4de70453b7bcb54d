import { numberText, type ThingUse, t } from '@switchroom/contract'
import { Sid } from '../ui/sid'
import { usePhoneFormat } from './phone-format'
import { PlainLink } from './plain-link'
import { isThingKind } from './thing-href'
import { ThingLink } from './thing-link'
import './use-items.css'

const moreText = (more: number) => t('and {more} more', { more: numberText(more) })

/** Resources of one kind that use a resource. `max`: number of them shown. */
export function UseItems({
  use: { of, items, total },
  max = items.length,
  moreHref,
}: {
  use: ThingUse
  max?: number
  /** The list of all of them. */
  moreHref?: string | undefined
}) {
  const shown = items.slice(0, max)
  const format = usePhoneFormat(of === 'phone_number' ? shown.map((i) => i.name) : [])
  const more = total - shown.length
  return (
    <ul className="use-items">
      {shown.map(({ sid, name }) => (
        <li key={sid}>
          {isThingKind(of) ? (
            <ThingLink kind={of} sid={sid} name={of === 'phone_number' ? format(name) : name} />
          ) : (
            // keys have no names
            <Sid sid={sid} />
          )}
        </li>
      ))}
      {more > 0 && (
        <li className="none">
          {moreHref ? <PlainLink href={moreHref}>{moreText(more)}</PlainLink> : moreText(more)}
        </li>
      )}
    </ul>
  )
}
