import { t } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import { linkTo } from '../lib/link-to'
import { claims, homeHref } from '../lib/session'
import { buttonClass } from '../ui/button'
import { Card } from '../ui/card'
import { PageHeader } from '../ui/page-header'
import { EmptyState } from '../ui/states'

const SENTENCE = t("That page doesn't exist.")

export function PublicNotFound() {
  const inside = claims()
  return (
    <Card title={t('Not found')} intro={SENTENCE}>
      <Link {...linkTo(inside ? homeHref() : '/')} className={buttonClass('primary')}>
        {inside ? t('Back to the console') : t('Log in')}
      </Link>
    </Card>
  )
}

export function InternalNotFound() {
  return (
    <>
      <PageHeader title={t('Not found')} />
      <EmptyState text={SENTENCE}>
        <Link {...linkTo(homeHref())} className={buttonClass('primary')}>
          {t('Back to the console')}
        </Link>
      </EmptyState>
    </>
  )
}
