import { t } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProductName } from '../ui/brand'
import { mayWrite } from './access'
import { useCrumb } from './crumb'
import { type ThingOwner, useFollowProvider } from './follow-provider'
import { linkTo } from './link-to'
import { editHref, type ThingKind, thingHref } from './thing-href'
import '../ui/page-header.css'
import './thing-head.css'

type Props = {
  kind: ThingKind
  sid: string
  name: string
  /** Left out for what belongs to no provider. */
  owner?: ThingOwner
}

/** The head of a thing's overview. */
export const OverviewHead = ({
  what,
  mayEdit,
  children,
  ...thing
}: Props & {
  /** Kind of the resource: "Carrier". */
  what: string
  mayEdit: boolean
  children?: ReactNode
}) => (
  <Head {...thing} title={what} tabs={mayEdit}>
    {children}
  </Head>
)

/** The same head above its form, with the form's own heading below. */
export const EditHead = ({ title, ...thing }: Props & { title: string }) => (
  <>
    <Head {...thing} title={title} tabs={mayWrite()} />
    <h2 className="edit-title">{title}</h2>
  </>
)

function Head({
  kind,
  sid,
  name,
  owner = {},
  title,
  tabs,
  children,
}: Props & { title: string; tabs: boolean; children?: ReactNode }) {
  const productName = useProductName()
  useCrumb(name)
  useFollowProvider(owner)
  const tab = (label: string, href: string, key?: string) => (
    <Link
      {...linkTo(href)}
      className="thing-tab"
      aria-keyshortcuts={key}
      activeOptions={{ exact: true, includeSearch: false }}
    >
      {label}
    </Link>
  )
  return (
    <header className="page-header thing-head" data-thing-head>
      <title>{`${name} · ${title} · ${productName}`}</title>
      <h1>{name}</h1>
      {children}
      {tabs && (
        <nav className="thing-tabs" aria-label={name}>
          {tab(t('Overview'), thingHref(kind, sid))}
          {tab(t('Edit'), editHref(kind, sid), 'e')}
        </nav>
      )}
    </header>
  )
}
