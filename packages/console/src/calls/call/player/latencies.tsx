import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { query } from '../../../lib/api'
import { traces } from '../../../lib/endpoints'
import { statusOf } from '../../../lib/failure'
import { LoadError } from '../../../lib/load-error'
import { Button } from '../../../ui/button'
import { Dialog, DialogFoot } from '../../../ui/dialog'
import { treeOf } from '../tracing/spans'
import type { Peaks } from './peaks'
import { KIND_WORDS, type Region, regionsOf, SAID } from './regions'
import { clock } from './use-playback'

/** Latencies, on the waveform and as a list. */
export function Latencies({
  account_sid,
  trace_id,
  peaks,
  length,
  seek,
  wave,
}: {
  account_sid: string
  trace_id: string
  peaks: readonly [Peaks, Peaks] | undefined
  length: number
  seek: (to: number) => void
  wave: (regions?: readonly Region[], open?: (region: Region) => void) => ReactNode
}) {
  const { data, error, isFetching, refetch } = useQuery(
    query(traces.ofAccount, { params: { account_sid, trace_id } }),
  )
  const regions = useMemo(
    () => data && regionsOf(treeOf(data).roots, peaks, length),
    [data, peaks, length],
  )
  const [open, setOpen] = useState<Region>()
  return (
    <>
      {wave(regions, setOpen)}
      {error && statusOf(error) !== 404 ? (
        <LoadError error={error} retry={refetch} />
      ) : (
        <p className="player-note" role="status">
          {emptyText(error, isFetching && !data, regions)}
        </p>
      )}
      {regions && regions.length > 0 && <List regions={regions} seek={seek} onOpen={setOpen} />}
      {open?.details && (
        <Dialog open onClose={() => setOpen(undefined)} title={open.details.title}>
          <dl className="region-facts">
            {open.details.facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <DialogFoot>
            <Button onClick={() => setOpen(undefined)}>{t('Close')}</Button>
          </DialogFoot>
        </Dialog>
      )}
    </>
  )
}

function emptyText(error: unknown, isLoading: boolean, regions: readonly Region[] | undefined) {
  if (error) return t('The trace of this call has expired.')
  if (isLoading) return t('Loading the trace…')
  if (!regions) return t('The trace does not show when the recording started.')
  return regions.length === 0 ? t('The trace contains no latencies.') : ''
}

function List({
  regions,
  seek,
  onOpen,
}: {
  regions: readonly Region[]
  seek: (to: number) => void
  onOpen: (region: Region) => void
}) {
  return (
    <ul className="regions" aria-label={t('Latencies')}>
      {regions.map((region) => (
        <li key={region.id}>
          <Button
            size="small"
            look="quiet"
            aria-label={t('Play from {clock}', { clock: clock(region.start) })}
            onClick={() => seek(region.start)}
          >
            {clock(region.start)}
          </Button>
          <span className={`region-mark region-${region.kind}`} aria-hidden />
          {region.details ? (
            <Button size="small" look="quiet" onClick={() => onOpen(region)}>
              {KIND_WORDS[region.kind]}
            </Button>
          ) : (
            <span className="region-words">{KIND_WORDS[region.kind]}</span>
          )}
          <span>{region.text ?? detailOf(region)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The transcript or the digit, in one line. */
const detailOf = ({ details }: Region) =>
  details?.facts.find(([name]) => name === SAID.transcript || name === SAID.dtmf)?.[1] ?? ''
