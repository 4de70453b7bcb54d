import { t } from '@switchroom/contract'
import { ListFilter } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from './button'
import './filter-more.css'

/** Filters of a bar behind a button, below all others. */
export function FilterMore({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <Button
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <ListFilter aria-hidden />
        {t('Filter')}
      </Button>
      {open && (
        <div className="filter-more" id={id}>
          {children}
        </div>
      )}
    </>
  )
}
