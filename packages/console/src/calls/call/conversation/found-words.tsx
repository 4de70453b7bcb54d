import { plural, t } from '@switchroom/contract'
import { ChevronDown, ChevronUp } from 'lucide-react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { IconButton } from '../../../ui/button'
import { WantedContext } from '../../../ui/marked'
import type { useFound } from './use-found'

/** Marks in its children what calls were searched by, and goes from one row with it to another, by button or key. */
export function FoundWords({
  said,
  found: { wanted, rows },
  list,
  onShow,
  children,
}: {
  said: string | undefined
  found: ReturnType<typeof useFound>
  list: RefObject<HTMLOListElement | null>
  onShow: (row: number) => void
  children: ReactNode
}) {
  if (wanted.length === 0) return children
  const go = (step: 1 | -1) => {
    const focused = [...(list.current?.children ?? [])].findIndex((row) =>
      row.contains(document.activeElement),
    )
    const next =
      step === 1
        ? (rows.find((row) => row > focused) ?? rows[0])
        : (rows.findLast((row) => row < focused) ?? rows.at(-1))
    if (next !== undefined) onShow(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement)
      return
    const key = event.key.toLowerCase()
    if (key !== 'n') return
    event.preventDefault()
    go(event.shiftKey ? -1 : 1)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is in it has the focus
    <div onKeyDown={onKeyDown}>
      <div className="conversation-found">
        <p role="status">
          {rows.length === 0
            ? t('“{said}” is not in the texts of this page.', { said })
            : plural(rows.length, '“{said}” is in 1 entry.|“{said}” is in {n} entries.', { said })}
        </p>
        {rows.length > 0 && (
          <>
            <IconButton
              label={t('Previous match (Shift+N)')}
              aria-keyshortcuts="Shift+N"
              onClick={() => go(-1)}
            >
              <ChevronUp />
            </IconButton>
            <IconButton label={t('Next match (N)')} aria-keyshortcuts="N" onClick={() => go(1)}>
              <ChevronDown />
            </IconButton>
          </>
        )}
      </div>
      <WantedContext value={wanted}>{children}</WantedContext>
    </div>
  )
}
