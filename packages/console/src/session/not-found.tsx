import { Link } from '@tanstack/react-router'
import { linkTo } from '../lib/link-to'
import { claims, homeHref } from '../lib/session'
import { buttonClass } from '../ui/button'
import { Card } from '../ui/card'
import { PageHeader } from '../ui/page-header'
import { EmptyState } from '../ui/states'

const SENTENCE = "That page doesn't exist."

export function PublicNotFound() {
  const inside = claims()
  return (
    <Card title="Not found" intro={SENTENCE}>
      <Link to={linkTo(inside ? homeHref() : '/')} className={buttonClass('primary')}>
        {inside ? 'Back to the console' : 'Log in'}
      </Link>
    </Card>
  )
}

export function InternalNotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState text={SENTENCE}>
        <Link to={linkTo(homeHref())} className={buttonClass('primary')}>
          Back to the console
        </Link>
      </EmptyState>
    </>
  )
}
