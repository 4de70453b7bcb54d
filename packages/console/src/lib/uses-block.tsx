import {
  fromServer,
  numberText,
  type ThingUse,
  t,
  USES_MAX,
  type UsedKind,
} from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Block } from '../ui/block'
import { Fact, Facts } from '../ui/facts'
import { query } from './api'
import { BlockQuery } from './block-query'
import { uses } from './endpoints'
import { INLINE } from './inline'
import { useCapabilities } from './use-capabilities'
import { UseItems } from './use-items'
import { usedListHref } from './used-list'

/** Usage of a resource. Needs our server. */
export const useUses = (kind: UsedKind, sid: string) => {
  const ours = useCapabilities()
  return useQuery({
    ...query(uses.view, { params: { kind, sid } }),
    ...INLINE,
    enabled: !!ours,
  })
}

/** True if nothing of this kind uses the resource; false until known. */
export const hasNone = (all: ThingUse[] | undefined, of: ThingUse['of']) =>
  all?.every((use) => use.of !== of) ?? false

/** The block "Used by" of an overview. */
export function UsesBlock({
  kind,
  sid,
  title = t('Used by'),
  empty,
}: {
  kind: UsedKind
  sid: string
  title?: string
  /** "Nothing uses this carrier." */
  empty: string
}) {
  const ours = useCapabilities()
  const all = useUses(kind, sid)
  if (!ours) return null
  return (
    <Block title={title}>
      <BlockQuery query={all}>
        {(data) =>
          data.length === 0 ? (
            <p className="block-empty">{empty}</p>
          ) : (
            <Facts>
              {data.map((use) => (
                <Fact key={`${use.of} ${use.blocks}`} name={headOf(use)}>
                  <UseItems use={use} max={SHOWN} moreHref={usedListHref(kind, sid, use.of)} />
                </Fact>
              ))}
            </Facts>
          )
        }
      </BlockQuery>
    </Block>
  )
}

const SHOWN = 8

const headOf = ({ kind, total }: ThingUse) =>
  `${fromServer(kind)} (${total >= USES_MAX ? `${numberText(USES_MAX)}+` : numberText(total)})`
