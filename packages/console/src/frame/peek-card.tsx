import { PreviewCard } from '@base-ui/react/preview-card'
import { t } from '@switchroom/contract'
import { type RefObject, useEffect, useRef } from 'react'
import { CallFacts } from '../calls/call-facts'
import type { ThingKind } from '../lib/thing-href'
import { THINGS } from './things'
import './peek.css'

export type Peeked = {
  kind: ThingKind
  sid: string
  link: HTMLAnchorElement
  by: 'pointer' | 'keys'
}

const STOPS = 'a[href], button, [tabindex="0"]'

/** The card is at the end of the page; Tab reaches it from the name, and leads back. */
function useTabOrder(link: HTMLElement, card: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (e.key !== 'Tab' || !card.current) return
      const stops = [...card.current.querySelectorAll<HTMLElement>(STOPS)]
      const focused = document.activeElement
      if (focused === link && !e.shiftKey) {
        e.preventDefault()
        stops[0]?.focus()
      } else if (focused === stops[0] && e.shiftKey) {
        e.preventDefault()
        link.focus()
      }
      // the browser goes on from there
      else if (focused === stops.at(-1) && !e.shiftKey) link.focus({ preventScroll: true })
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [link, card])
}

/** A small card of a thing, below its name or row. */
export function PeekCard({ kind, sid, link, by, onClose }: Peeked & { onClose: () => void }) {
  const card = useRef<HTMLDivElement>(null)
  useTabOrder(link, card)
  const { Card } = THINGS[kind]
  return (
    <PreviewCard.Root
      open
      // the pointer is followed in peek.tsx, from the name to the card
      onOpenChange={(_, { reason }) => reason !== 'trigger-hover' && onClose()}
    >
      <PreviewCard.Portal>
        <PreviewCard.Positioner
          className="popup-place"
          anchor={(by === 'keys' && link.closest('tr')) || link}
          align="start"
          alignOffset={by === 'keys' && link.closest('tr') ? 16 : 0}
          sideOffset={4}
          collisionPadding={8}
        >
          <PreviewCard.Popup
            ref={card}
            className="popup peek"
            data-peek
            role="group"
            aria-label={t('Peek')}
            aria-live="polite"
          >
            <Card sid={sid} Calls={CallFacts} />
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  )
}
