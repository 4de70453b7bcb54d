import { t } from '@switchroom/contract'
import { rich } from '../../../ui/rich'
import { durationOf, factsOf, momentOf, type Span } from './spans'

/** Pretty-prints JSON values, such as the body of a webhook. */
function prettyJson(value: string): string {
  if (!/^[[{]/.test(value)) return value
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}

/** All attributes of one span. */
export function Facts({ span }: { span: Span }) {
  // the span of a DTMF digit does not measure how long it was pressed
  const lasted: [string, string][] = span.name.startsWith('dtmf:')
    ? []
    : [[t('Duration'), durationOf(span.duration)]]
  const facts: [string, string][] = [
    [t('Span ID'), span.id],
    [t('Span start'), momentOf(span.began)],
    [t('Span end'), momentOf(span.began + BigInt(Math.round(span.duration)))],
    ...lasted,
    ...factsOf(span),
  ]
  return (
    <section className="span-facts" aria-label={t('Selected span')} aria-live="polite">
      <h3>{rich('Span: {name}', { name: span.name })}</h3>
      <dl>
        {facts.map(([key, value], i) => (
          // two speech generations may have the same attributes
          // biome-ignore lint/suspicious/noArrayIndexKey: facts never change their order
          <div key={`${i} ${key}`}>
            <dt>{key}</dt>
            <dd>{prettyJson(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
