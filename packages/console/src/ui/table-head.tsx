type Align = { start: string } | { end: string } | { hidden: string }
/** Text at the start or, for numbers, at the end of its column; `hidden` is for screen readers only. Left out while false. */
type Heading = string | (Align & { className?: string }) | false | null | undefined

function Cell({ of }: { of: Exclude<Heading, string | false | null | undefined> }) {
  if ('hidden' in of)
    return (
      <th scope="col" className={of.className}>
        <span className="visually-hidden">{of.hidden}</span>
      </th>
    )
  return (
    <th scope="col" className={of.className} data-align={'end' in of ? 'end' : undefined}>
      {'end' in of ? of.end : of.start}
    </th>
  )
}

/** The headings of a table whose rows are not a list of pages. */
export const TableHead = ({ of }: { of: Heading[] }) => (
  <thead>
    <tr>
      {of.map((heading, i) => {
        if (!heading) return null
        const cell = typeof heading === 'string' ? { start: heading } : heading
        // biome-ignore lint/suspicious/noArrayIndexKey: two headings may be the same
        return <Cell key={i} of={cell} />
      })}
    </tr>
  </thead>
)
