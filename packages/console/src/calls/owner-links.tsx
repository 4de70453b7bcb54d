import { accounts, applications } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '../lib/api'
import { linkTo } from '../lib/link-to'
import { Sid } from '../ui/sid'

/** An account that a record names, and the way there. Its name comes when it is known. */
export function AccountLink({ account_sid }: { account_sid: string }) {
  const { data } = useQuery(query(accounts.view, { params: { account_sid } }))
  return <To sid={account_sid} name={data?.name} href={`/internal/accounts/${account_sid}/edit`} />
}

/** The same of an application. */
export function ApplicationLink({ application_sid }: { application_sid: string }) {
  const { data } = useQuery(query(applications.view, { params: { application_sid } }))
  const href = `/internal/applications/${application_sid}/edit`
  return <To sid={application_sid} name={data?.name} href={href} />
}

const To = ({ sid, name, href }: { sid: string; name: string | undefined; href: string }) => (
  <>
    <Sid sid={sid} /> <Link to={linkTo(href)}>{name ?? 'Open'}</Link>
  </>
)
