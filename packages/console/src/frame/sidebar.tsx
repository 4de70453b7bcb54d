import { t } from '@switchroom/contract'
import { CatchBoundary, useLocation } from '@tanstack/react-router'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { Suspense } from 'react'
import { PlainLink } from '../lib/plain-link'
import { useProvider } from '../lib/use-provider'
import { BrandMark } from '../ui/brand-mark'
import { IconButton } from '../ui/button'
import { Skeleton } from '../ui/states'
import { Tooltip } from '../ui/tooltip'
import { IssueCount } from './issue-count'
import { isWithin, menu, screensOf } from './menu'
import { ProviderSelect } from './provider-select'
import { UserBox } from './user-box'
import './sidebar.css'

export function Sidebar({ narrow, onNarrow }: { narrow: boolean; onNarrow?: () => void }) {
  const { pathname } = useLocation()
  const provider = useProvider()
  const Toggle = narrow ? PanelLeftOpen : PanelLeftClose
  return (
    <div className={narrow ? 'sidebar sidebar-narrow' : 'sidebar'}>
      <div className="sidebar-top">
        {!narrow && (
          <span className="sidebar-brand">
            <BrandMark size={22} />
          </span>
        )}
        {onNarrow && (
          <IconButton label={narrow ? t('Expand menu') : t('Collapse menu')} onClick={onNarrow}>
            <Toggle />
          </IconButton>
        )}
      </div>
      {!narrow && (
        <CatchBoundary
          getResetKey={() => pathname}
          errorComponent={() => (
            <p className="provider-failed">{t('Could not load service providers')}</p>
          )}
        >
          <Suspense fallback={<Skeleton height={32} />}>
            <ProviderSelect />
          </Suspense>
        </CatchBoundary>
      )}
      <nav className="sidebar-nav" aria-label={t('Main')}>
        {menu(provider).map((group) => (
          <Group key={group.label ?? ''} {...group} narrow={narrow} />
        ))}
      </nav>
      <UserBox narrow={narrow} />
    </div>
  )
}

function Group({ label, items, narrow }: ReturnType<typeof menu>[number] & { narrow: boolean }) {
  const provider = useProvider()
  const { pathname } = useLocation()
  return (
    <>
      {label && (narrow ? <hr /> : <h2>{label}</h2>)}
      <ul>
        {items.map((item) => {
          const { label, href, icon: Icon } = item
          const screens = screensOf(item)
          const link = (
            <PlainLink
              href={href}
              className="sidebar-link"
              aria-current={screens.some((s) => isWithin(pathname, s)) ? 'page' : undefined}
            >
              <Icon aria-hidden />
              {narrow ? <span className="visually-hidden">{label}</span> : label}
              {item.hasCount && <IssueCount provider={provider?.service_provider_sid} />}
            </PlainLink>
          )
          return (
            <li key={href}>
              {narrow ? (
                <Tooltip text={label} side="right">
                  {link}
                </Tooltip>
              ) : (
                link
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
