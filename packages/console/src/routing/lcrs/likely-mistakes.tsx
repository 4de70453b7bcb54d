import { DEFAULT_ROUTE, type RoutingFix, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../lib/api'
import { routeSimulations } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useCapabilities } from '../../lib/use-capabilities'
import { useDebounced } from '../../lib/use-debounced'
import { useCurrentProvider } from '../../lib/use-provider'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'
import { TextField } from '../../ui/text-field'
import { RoutingFindings } from '../routing-findings'
import { Steps } from '../routing-steps'
import type { LcrValues } from './values'

const PAUSE = 400

/** Indices of rows with a pattern. */
const filledRowIndices = ({ routes }: LcrValues) =>
  routes.flatMap((r, place) => (r.regex.trim() === '' ? [] : [place]))

/** The form's routes, saved or not, as the platform would store them. */
const draftOf = ({ routes, default_carrier }: LcrValues, places: readonly number[]) => ({
  routes: [
    ...places
      .map((priority) => [routes[priority]!, priority] as const)
      .map(([r, priority]) => ({
        regex: r.regex,
        priority,
        description: r.description || null,
        lcr_carrier_set_entries: r.lcr_carrier_set_entries
          .filter((e) => e.voip_carrier_sid)
          .map((e, place) => ({ voip_carrier_sid: e.voip_carrier_sid, priority: place })),
      })),
    ...(default_carrier
      ? [{ ...DEFAULT_ROUTE, lcr_carrier_set_entries: [{ voip_carrier_sid: default_carrier }] }]
      : []),
  ],
})

/**
 * Simulates a number and lists likely mistakes while routes are being edited: `values` are those of when typing last
 * paused. `onFix` applies a suggested fix to the form.
 */
export function LikelyMistakes({
  values,
  account_sid,
  onFix,
}: {
  values: LcrValues
  account_sid: string
  onFix?: ((route: number, fix: RoutingFix) => void) | undefined
}) {
  const ours = useCapabilities()
  const service_provider_sid = useCurrentProvider()
  const [typed, setTyped] = useState('')
  const places = filledRowIndices(values)
  const number = useDebounced(typed, PAUSE).trim()
  const draft = { places, routes: draftOf(values, places) }
  const body = {
    ...(account_sid ? { account_sid } : { service_provider_sid }),
    number,
    lcr: draft.routes,
  }
  const result = useQuery({
    queryKey: [routeSimulations.outbound.path, body],
    queryFn: () => send(routeSimulations.outbound, { body }),
    placeholderData: keepPreviousData,
    enabled: !!ours,
    retry: false,
    meta: { inline: true },
  })
  if (!ours) return null
  const blank = draft.routes.routes.length === 0
  return (
    <Section
      title={t('Try it')}
      about={t('What the platform would do with these routes, including your unsaved changes.')}
    >
      <TextField
        label={t('Called number')}
        placeholder="442079460958"
        mono
        inputMode="tel"
        maxLength={64}
        value={typed}
        onChange={setTyped}
      />
      {result.error ? (
        <Notice tone="warn">{messageOf(result.error)}</Notice>
      ) : (
        result.data && (
          <>
            {number !== '' && <Steps steps={result.data.steps} />}
            {!blank && (
              <RoutingFindings
                findings={result.data.findings.map((f) => {
                  const route = f.route === null ? null : (draft.places[f.route] ?? null)
                  // the last route is the default one, which is not a row of the form
                  return { ...f, route, ...(route === null && { fix: undefined }) }
                })}
                {...(onFix && { onFix })}
              />
            )}
          </>
        )
      )}
    </Section>
  )
}
