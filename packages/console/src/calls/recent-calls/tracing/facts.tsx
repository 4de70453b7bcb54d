import { durationOf, factsOf, momentOf, type Span } from './spans'

/** What a span says of itself. A hook's body is JSON that people read. */
function readable(value: string): string {
  if (!/^[[{]/.test(value)) return value
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}

/** Everything that is known of one span. */
export function Facts({ span }: { span: Span }) {
  // of a digit that was pressed the span lasts as long as it took to be told
  const lasted: [string, string][] = span.name.startsWith('dtmf:')
    ? []
    : [['Duration', durationOf(span.duration)]]
  const facts: [string, string][] = [
    ['Span ID', span.id],
    ['Span Start', momentOf(span.began)],
    ['Span End', momentOf(span.began + BigInt(Math.round(span.duration)))],
    ...lasted,
    ...factsOf(span),
  ]
  return (
    <section className="span-facts" aria-label="Selected span" aria-live="polite">
      <h3>Span: {span.name}</h3>
      <dl>
        {facts.map(([key, value], i) => (
          // two generations of speech may say the same thing
          // biome-ignore lint/suspicious/noArrayIndexKey: facts never change their order
          <div key={`${i} ${key}`}>
            <dt>{key}</dt>
            <dd>{readable(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
