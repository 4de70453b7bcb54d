import { type FileRead, t } from '@switchroom/contract'
import { Button } from '../ui/button'
import { Notice } from '../ui/notice'

/** Offers to read a file that is not in UTF-8 as Excel writes it in western Europe, with a look at its letters. */
export function ImportEncoding({
  read: { headings, rows },
  onTake,
}: {
  read: FileRead
  onTake: () => void
}) {
  return (
    <>
      <Notice tone="warn">
        {t(
          'This file is not in UTF-8. Below are rows with special letters, read as Windows-1252. If the letters are wrong, save the file as “CSV UTF-8” and choose it again.',
        )}
      </Notice>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too */}
      <section className="import-problems" aria-label={t('First rows')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {headings.map(({ heading }, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two headings may be the same
                <th key={i} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: so may two rows
              <tr key={at}>
                {row.map((cell, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: and two cells
                  <td key={i}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="import-about">
        <Button size="small" onClick={onTake}>
          {t('The letters are right')}
        </Button>
      </p>
    </>
  )
}
