import { Popover } from '@base-ui/react/popover'
import { t, translated } from '@switchroom/contract'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { RefObject } from 'react'
import { Button, IconButton } from '../ui/button'
import { Checkbox } from '../ui/toggle'
import { ExportButton } from './csv-buttons'
import { setListView } from './list-view'
import {
  type FileExport,
  type ListView,
  MAX_WIDTH,
  MIN_WIDTH,
  moved,
  ordered,
  resized,
  shownColumns,
  toggledColumn,
} from './view-columns'
import './view-panel.css'

/** Settings of a list's view: columns, their order and width, and the height of rows. */
export function ViewPanel({
  list,
  columns,
  view,
  fileExport,
  anchor,
  onClose,
}: {
  list: string
  columns: readonly { header: string; fileColumns?: readonly string[] }[]
  view: ListView
  fileExport: FileExport | undefined
  anchor: RefObject<HTMLElement | null>
  onClose: () => void
}) {
  const set = (next: ListView) => setListView(list, next)
  const { hidden = [], widths = {} } = view
  const all = ordered(columns, view).map(({ header }) => header)
  const { compact, ...comfortable } = view
  const fileColumns = shownColumns(columns, view).flatMap((c) => c.fileColumns ?? [])
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner className="popup-place" anchor={anchor} align="end" sideOffset={4}>
          <Popover.Popup className="popup view-panel" finalFocus={anchor}>
            <Popover.Title className="view-title">{t('Display')}</Popover.Title>
            <Checkbox
              label={t('Compact rows')}
              value={!!compact}
              onChange={(on) => set(on ? { ...view, compact: true } : comfortable)}
            />
            <ul className="view-columns" aria-label={t('Columns')}>
              {all.map((name, i) => (
                <li key={name}>
                  <Checkbox
                    label={translated(name)}
                    value={i === 0 || !hidden.includes(name)}
                    disabled={i === 0}
                    onChange={(on) => set(toggledColumn(view, name, on))}
                  />
                  <input
                    type="number"
                    className="input view-width"
                    aria-label={t('Width of {name} in pixels', { name: translated(name) })}
                    placeholder={t('Auto')}
                    min={MIN_WIDTH}
                    max={MAX_WIDTH}
                    step={8}
                    // typed digit by digit, so it is bounded once it is left
                    key={`${widths[name]}`}
                    defaultValue={widths[name] ?? ''}
                    onBlur={(e) => set(resized(view, name, e.target.valueAsNumber || undefined))}
                    onKeyDown={(e) => e.key === 'Enter' && e.currentTarget.blur()}
                  />
                  {i > 0 && (
                    <>
                      <IconButton
                        label={t('Move {name} up', { name: translated(name) })}
                        aria-disabled={i === 1}
                        onClick={() => set(moved(columns, view, name, -1))}
                      >
                        <ArrowUp />
                      </IconButton>
                      <IconButton
                        label={t('Move {name} down', { name: translated(name) })}
                        aria-disabled={i === all.length - 1}
                        onClick={() => set(moved(columns, view, name, 1))}
                      >
                        <ArrowDown />
                      </IconButton>
                    </>
                  )}
                </li>
              ))}
            </ul>
            <div className="view-foot">
              <Button
                look="quiet"
                size="small"
                disabled={Object.keys(view).length === 0}
                onClick={() => set({})}
              >
                {t('Reset')}
              </Button>
              {fileExport && (
                <ExportButton
                  endpoint={fileExport.endpoint}
                  sent={{
                    ...fileExport.sent,
                    query: { ...fileExport.sent.query, columns: fileColumns.join(',') },
                  }}
                  label={t('Export these columns')}
                  size="small"
                />
              )}
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
