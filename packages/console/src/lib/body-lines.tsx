import { decimalText, fromServer, plural, type RequestBody, t } from '@switchroom/contract'
import { useEffect, useMemo, useRef } from 'react'
import { type BodyMark, shownBody } from './shown-body'
import './body-lines.css'

const sizeText = (bytes: number) =>
  bytes < 1_024 ? plural(bytes, '1 byte|{n} bytes') : `${decimalText(bytes / 1_024)} kB`

const NONE: readonly BodyMark[] = []

/** A body as numbered lines, with what is wrong below its line, the first of which is in view. */
export function BodyLines({
  body,
  marks = NONE,
  name,
}: {
  body: RequestBody
  marks?: readonly BodyMark[]
  /** The accessible name: "Response body". */
  name: string
}) {
  const { lines, marked } = useMemo(() => shownBody(body.text, marks), [body.text, marks])
  const [first] = [...marked.keys()].sort((a, b) => a - b)
  const line = useRef<HTMLLIElement>(null)
  // within its box: the page stays where it is
  useEffect(() => {
    const box = line.current?.closest('section')
    if (line.current && box && first) box.scrollTop = line.current.offsetTop - box.clientHeight / 2
  }, [first])
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard */}
      <section className="body-lines" tabIndex={0} aria-label={name}>
        <ol>
          {lines.map((text, i) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are known by their numbers
              key={i}
              ref={i + 1 === first ? line : undefined}
              className={marked.has(i + 1) ? 'body-wrong' : undefined}
            >
              <code>{text}</code>
              {marked.get(i + 1)?.map((message) => (
                <span key={message} className="body-problem">
                  <span className="visually-hidden">{t('Error:')} </span>
                  {fromServer(message)}
                </span>
              ))}
            </li>
          ))}
        </ol>
      </section>
      <p className="hint">
        {body.is_cut
          ? t('{size}, of which the log keeps the first 16 kB', { size: sizeText(body.bytes) })
          : sizeText(body.bytes)}
      </p>
    </>
  )
}
