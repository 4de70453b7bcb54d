import { type ModelFigures as Figures, HOURLY_MAX_MS, plural, t } from '@switchroom/contract'
import { useApplicationNames } from '../../calls/application-names'
import { Figure } from '../../calls/dashboard/figures'
import { callsHref, type FigureFilter } from '../../calls/dashboard/links'
import { versionText } from '../../calls/recent-calls/voice-text'
import { ownAccount } from '../../lib/access'
import { vendorName } from '../../speech/speech-credentials/vendor-name'
import { type Comparison, countShown, type Shown } from './changes'
import { voiceOf } from './links'
import {
  amountShown,
  cachedText,
  meanCost,
  meanTokens,
  meanTokensShown,
  modelColumns,
  tokensShown,
} from './model-counts'
import { ModelTimes } from './model-times'
import { otherText } from './other-text'
import { Part } from './part'
import { endsOf } from './spans'
import { VoiceTable } from './voice-table'
import '../../lib/table.css'

/** Figures to compare with, and of which application if it is another. */
export type OtherModels = Pick<Comparison, 'application'> & { figures: Figures }

type Props = {
  data: Figures
  other: OtherModels | undefined
  /** The account and application that the screen is filtered by. */
  filter: { account_sid: string | undefined; application_sid: string | undefined }
  provider: string
}

/** Tokens and cost of model sessions; those of which a list tells link to their calls. */
export function ModelFigures({ data, other, filter, provider }: Props) {
  const hrefIn = (span: { from: string; until: string }, more: FigureFilter) =>
    callsHref(endsOf(span), { ...filter, ...more })
  const hrefOf = (more: FigureFilter) => hrefIn(data, more)
  const hasPrices = (filter.account_sid ?? ownAccount()) !== undefined
  const shared = { data, other, hrefOf, hasPrices }
  return (
    <>
      <Headline {...shared} />
      <ModelTimes
        times={data.times}
        isHourly={Date.parse(data.until) - Date.parse(data.from) <= HOURLY_MAX_MS}
        hrefIn={hrefIn}
        hasPrices={hasPrices}
      />
      <Tables {...shared} provider={provider} />
    </>
  )
}

type Shared = Pick<Props, 'data' | 'other'> & {
  hrefOf: (more: FigureFilter) => string
  hasPrices: boolean
}

function Headline({ data, other, hrefOf, hasPrices }: Shared) {
  const baseline = other?.figures
  const { calls, tokens, costs } = data
  const figure = (
    name: string,
    shown: Shown,
    { filter, hint }: { filter?: FigureFilter | undefined; hint?: string | undefined } = {},
  ) => (
    <Figure
      key={name}
      name={name}
      href={filter && hrefOf(filter)}
      was={otherText(shown, other)}
      change={shown.change}
      hint={hint}
    >
      {shown.text}
    </Figure>
  )
  const ofCalls = (n: number) =>
    n === calls
      ? undefined
      : plural(calls, 'Known of {known} of 1 call|Known of {known} of {n} calls', { known: n })
  const known = tokens ? { tokens_at_least: 0 } : undefined
  const mean = meanTokens(data)
  const priced = hasPrices ? { cost_at_least: 0 } : undefined
  const nameIn = (name: string, currency: string) =>
    costs.length > 1 ? t('{name} in {currency}', { name, currency }) : name
  return (
    <dl className="figures">
      {figure(t('Calls with a model session'), countShown(calls, baseline?.calls))}
      {figure(t('Tokens in'), tokensShown(data, baseline, 'input'), {
        filter: known,
        hint: cachedText(data),
      })}
      {figure(t('Tokens out'), tokensShown(data, baseline, 'output'), { filter: known })}
      {figure(t('Tokens per call'), meanTokensShown(data, baseline), {
        filter: mean === undefined ? undefined : { tokens_at_least: mean },
        hint: ofCalls(tokens?.calls ?? 0),
      })}
      {costs.length === 0 && figure(t('Cost'), { text: t('Unknown') }, { hint: t('No prices') })}
      {costs.map((cost) =>
        figure(
          nameIn(t('Cost'), cost.currency),
          amountShown(cost, baseline, ({ amount }) => amount),
          { filter: priced, hint: ofCalls(cost.calls) },
        ),
      )}
      {costs.map((cost) =>
        figure(nameIn(t('Cost per call'), cost.currency), amountShown(cost, baseline, meanCost), {
          filter: hasPrices ? { cost_at_least: Number(meanCost(cost).toFixed(6)) } : undefined,
        }),
      )}
    </dl>
  )
}

type Application = Figures['applications'][number]
type Version = Figures['versions'][number]
type Model = Figures['models'][number]

const ofApplication = ({ application_sid }: Application): FigureFilter | undefined =>
  application_sid ? { application_sid, tokens_at_least: 0 } : undefined
const ofVersion = ({ application_sid, version }: Version): FigureFilter => ({
  voice_of: voiceOf('version', application_sid, version),
  tokens_at_least: 0,
})
const modelName = ({ vendor, model }: Model) =>
  [vendor && vendorName(vendor), model].filter(Boolean).join(', ') || t('Unknown')

function Tables({ data, other, hrefOf, hasPrices, provider }: Shared & { provider: string }) {
  const { applications, versions, models } = data
  const names = useApplicationNames(
    provider,
    [...applications, ...versions].some(({ application_sid }) => application_sid),
  )
  const nameOf = ({ application_sid: sid }: Pick<Application, 'application_sid'>) =>
    sid ? (names.get(sid) ?? sid) : t('None or unknown')
  const then = other?.figures
  const shared = { hrefOf, other }
  return (
    <>
      <Part title={t('Models by application')}>
        <VoiceTable
          {...shared}
          label={t('Tokens and cost by application')}
          head={t('Application')}
          columns={modelColumns<Application>(
            ofApplication,
            // another application is compared with each
            (row) =>
              other?.application === undefined
                ? then?.applications.find((one) => one.application_sid === row.application_sid)
                : then,
            hasPrices,
          )}
          rows={applications}
          keyOf={(row) => String(row.application_sid)}
          nameOf={nameOf}
          filterOf={ofApplication}
        />
      </Part>
      {versions.length > 0 && (
        <Part title={t('Models by version')}>
          <VoiceTable
            {...shared}
            label={t('Tokens and cost by version')}
            head={t('Version')}
            columns={modelColumns<Version>(
              ofVersion,
              (row) =>
                then?.versions.find((one) => ofVersion(one).voice_of === ofVersion(row).voice_of),
              hasPrices,
            )}
            rows={versions}
            keyOf={(row) => ofVersion(row).voice_of!}
            nameOf={(row) => `${nameOf(row)}, ${versionText(row.version)}`}
            filterOf={ofVersion}
          />
        </Part>
      )}
      <Part title={t('By model')}>
        <VoiceTable
          {...shared}
          label={t('Tokens and cost by model')}
          head={t('Vendor and model')}
          columns={modelColumns<Model>(
            () => undefined,
            ({ vendor, model }) =>
              then?.models.find((one) => one.vendor === vendor && one.model === model),
            hasPrices,
          )}
          rows={models}
          keyOf={({ vendor, model }) => JSON.stringify([vendor, model])}
          nameOf={modelName}
          filterOf={() => undefined}
        />
      </Part>
    </>
  )
}
