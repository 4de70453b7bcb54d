import { useQuery } from '@tanstack/react-query'
import { query } from './api'
import { applications } from './endpoints'

/** The name of an application; its sid until the name has loaded. */
export function useApplicationName(application_sid: string): string {
  const { data } = useQuery({
    ...query(applications.view, { params: { application_sid } }),
    // one that is gone is no failure of the page
    meta: { background: true },
    enabled: application_sid !== '',
  })
  return data?.name ?? application_sid
}
