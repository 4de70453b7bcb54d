import { t } from '@switchroom/contract'
import { type ReactNode, useId } from 'react'
import sheet from './course.css?url'

/** One of the depths in which the course of a call is shown. */
export type Depth = { id: string; label: string; content: ReactNode }

export type CourseProps = {
  depths: readonly Depth[]
  value: string
  onChange: (id: string) => void
}

/** The course of a call in one of its depths. All that were opened stay, and follow one cursor. */
export function Course({ depths, value, onChange }: CourseProps) {
  const name = useId()
  return (
    <>
      {/* lists need none of it */}
      <link rel="stylesheet" href={sheet} precedence="page" />
      {depths.length > 1 && (
        <fieldset className="course-depths">
          <legend className="visually-hidden">{t('Depth')}</legend>
          {depths.map(({ id, label }) => (
            <label key={id}>
              <input
                type="radio"
                name={name}
                checked={id === value}
                onChange={() => onChange(id)}
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
      {depths.map(({ id, content }) => (
        <div key={id} hidden={id !== value}>
          {content}
        </div>
      ))}
    </>
  )
}
