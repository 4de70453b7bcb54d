import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Circle } from 'lucide-react'
import { query, queryClient } from '../../lib/api'
import { accountSpeechCredentials, voipCarriers } from '../../lib/endpoints'
import { linkTo } from '../../lib/link-to'
import './setup-hints.css'

const ONE = { page: 1, page_size: 1 }
const firstCarrier = (account_sid: string) =>
  query(voipCarriers.list, { query: { ...ONE, account_sid } })
const firstSpeechService = (account_sid: string) =>
  query(accountSpeechCredentials.list, { params: { account_sid }, query: ONE })

/** Loads the hints with the screen, so that they do not push away what is being clicked. Never fails. */
export const loadHints = (account_sid: string) =>
  Promise.all([
    queryClient.prefetchQuery(firstCarrier(account_sid)),
    queryClient.prefetchQuery(firstSpeechService(account_sid)),
  ])

/** Resources that a new account still needs before it can take calls. Nothing until loaded. */
export function SetupHints({ account_sid }: { account_sid: string }) {
  const carriers = useQuery(firstCarrier(account_sid)).data
  const speech = useQuery(firstSpeechService(account_sid)).data
  if (!carriers || !speech) return null
  const missing = [
    carriers.total === 0 && {
      text: t('Add a carrier to route calls'),
      to: '/internal/carriers/add',
    },
    speech.total === 0 && {
      text: t('Add speech credentials for text-to-speech and speech-to-text'),
      to: '/internal/speech-services/add',
    },
  ].filter((hint) => hint !== false)
  if (missing.length === 0) return null
  return (
    <section className="setup-hints" aria-labelledby="setup-hints">
      <h2 id="setup-hints">{t('Finish account setup')}</h2>
      <ul>
        {missing.map(({ text, to }) => (
          <li key={to}>
            <Circle aria-hidden />
            <Link {...linkTo(to)}>{text}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
