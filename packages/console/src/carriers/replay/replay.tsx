import { lazy, Suspense } from 'react'
import { useCapabilities } from '../../lib/use-capabilities'
import type { ReplayDraft } from './draft'

const Result = lazy(async () => ({ default: (await import('./result')).ReplayResult }))

/**
 * Effect of unsaved changes on the calls of the last 24 hours. `draft` is undefined while incomplete; `stored` is the
 * draft without changes.
 */
export function WhatThisChanges({
  draft,
  stored,
}: {
  draft: ReplayDraft | undefined
  stored: ReplayDraft | undefined
}) {
  const ours = useCapabilities()
  if (!ours || !draft || JSON.stringify(draft) === JSON.stringify(stored)) return null
  return (
    <Suspense>
      <Result draft={draft} />
    </Suspense>
  )
}
