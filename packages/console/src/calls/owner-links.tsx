import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '../lib/api'
import { accounts, applications } from '../lib/endpoints'
import { linkTo } from '../lib/link-to'
import { Sid } from '../ui/sid'

/** A link to the account of a record, showing its sid until the name has loaded. */
export function AccountLink({ account_sid }: { account_sid: string }) {
  const { data } = useQuery(query(accounts.view, { params: { account_sid } }))
  return (
    <OwnerLink
      sid={account_sid}
      name={data?.name}
      href={`/internal/accounts/${account_sid}/edit`}
    />
  )
}

/** A link to the application of a record. */
export function ApplicationLink({ application_sid }: { application_sid: string }) {
  const { data } = useQuery(query(applications.view, { params: { application_sid } }))
  const href = `/internal/applications/${application_sid}/edit`
  return <OwnerLink sid={application_sid} name={data?.name} href={href} />
}

const OwnerLink = ({
  sid,
  name,
  href,
}: {
  sid: string
  name: string | undefined
  href: string
}) => (
  <>
    <Sid sid={sid} /> <Link to={linkTo(href)}>{name ?? 'Open'}</Link>
  </>
)
