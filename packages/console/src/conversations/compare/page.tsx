import { t } from '@switchroom/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import sheet from '../../calls/call/conversation/conversation.css?url'
import partsSheet from '../../calls/call/conversation/response-parts.css?url'
import { type Search, SIDES, type SideName, searchOf } from '../../calls/compare-address'
import { useVendorNames, VendorNames } from '../../calls/use-vendor-names'
import { defined } from '../../lib/list-search'
import { PlainLink } from '../../lib/plain-link'
import { Button, buttonClass } from '../../ui/button'
import { PageHeader } from '../../ui/page-header'
import { EmptyState, LoadingState } from '../../ui/states'
import turnsSheet from '../../ui/turns.css?url'
import ownSheet from './compare.css?url'
import { rowsOf } from './comparison'
import { Rows } from './rows'
import { SideHead } from './side-head'
import { Summary } from './summary-list'
import { useShownRow } from './use-shown-row'
import { useCallBefore, useSide } from './use-side'

/** Two calls side by side: what was said, how long the answers took, and where they differ. */
export function CompareCalls() {
  const search = searchOf(useSearch({ strict: false }))
  const navigate = useNavigate()
  const set = (patch: Search, replace = false) =>
    void navigate({
      to: '.',
      search: defined({ ...search, ...patch }) as never,
      replace,
      resetScroll: false,
    })
  const a = useSide(search.a)
  const b = useSide(search.b)
  const sides = { a, b }
  const vendorNames = useVendorNames(true)
  const missing = search.a === undefined ? 'a' : search.b === undefined ? 'b' : undefined
  const before = useCallBefore(missing && (missing === 'a' ? b : a).call)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is known
  useEffect(() => {
    if (missing && before) set({ [missing]: before }, true)
  }, [missing, before])
  const rows = useMemo(
    () => rowsOf(a.conversation, b.conversation),
    [a.conversation, b.conversation],
  )
  const onlyDifferences = search.only === 'differences' && !!a.conversation && !!b.conversation
  const shown = useShownRow(rows, onlyDifferences, () => set({ only: undefined }, true))
  const known = missing === 'a' ? b : a
  const isLookedFor =
    missing !== undefined && (known.isLoading || (known.call !== undefined && before !== null))
  const isLoading = a.isLoading || b.isLoading || isLookedFor
  const isEmpty = search.a === undefined && search.b === undefined
  const choose = (side: SideName) => (id: string) => set({ [side]: id })
  return (
    <div className="compare">
      {/* lists need none of it */}
      {[turnsSheet, sheet, partsSheet, ownSheet].map((href) => (
        <link key={href} rel="stylesheet" href={href} precedence="page" />
      ))}
      <PageHeader title={t('Compare calls')}>
        {a.id !== undefined && b.id !== undefined && (
          <Button onClick={() => set({ a: b.id, b: a.id })}>{t('Swap sides')}</Button>
        )}
      </PageHeader>
      {isEmpty ? (
        <EmptyState text={t('Open a call, and choose “Compare with another call” there.')}>
          <PlainLink href="/internal/recent-calls" className={buttonClass()}>
            {t('Recent calls')}
          </PlainLink>
        </EmptyState>
      ) : (
        <>
          <Summary a={a} b={b} rows={rows} isLoading={isLoading} onShow={shown.show} />
          <div className="compare-heads">
            {SIDES.map((name) => (
              <SideHead
                key={name}
                name={name}
                side={sides[name]}
                other={sides[name === 'a' ? 'b' : 'a']}
                sides={search}
                isLookedFor={isLookedFor}
                onChoose={choose(name)}
                onShow={(entry) => shown.show(rows.findIndex((row) => row[name] === entry))}
              />
            ))}
          </div>
          {isLoading ? (
            <LoadingState text={t('Loading the conversations')} />
          ) : (
            rows.length > 0 && (
              <VendorNames value={vendorNames}>
                <Rows
                  a={a.conversation}
                  b={b.conversation}
                  rows={shown.rows}
                  count={shown.count}
                  list={shown.list}
                  onlyDifferences={onlyDifferences}
                  onOnlyDifferences={(only) =>
                    set({ only: only ? 'differences' : undefined }, true)
                  }
                />
              </VendorNames>
            )
          )}
        </>
      )}
    </div>
  )
}
