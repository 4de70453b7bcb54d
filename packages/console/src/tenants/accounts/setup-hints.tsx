import { accountSpeechCredentials, voipCarriers } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Circle } from 'lucide-react'
import { query } from '../../lib/api'
import { linkTo } from '../../lib/link-to'
import './setup-hints.css'

/** What a new account still needs before it can take calls. Nothing until known. */
export function SetupHints({ account_sid }: { account_sid: string }) {
  const one = { page: 1, page_size: 1 }
  const carriers = useQuery(query(voipCarriers.list, { query: { ...one, account_sid } })).data
  const speech = useQuery(
    query(accountSpeechCredentials.list, { params: { account_sid }, query: one }),
  ).data
  if (!carriers || !speech) return null
  const missing = [
    carriers.total === 0 && {
      text: 'Add a carrier to route calls',
      to: '/internal/carriers/add',
    },
    speech.total === 0 && {
      text: 'Add speech credentials for text-to-speech and speech-to-text',
      to: '/internal/speech-services/add',
    },
  ].filter((hint) => hint !== false)
  if (missing.length === 0) return null
  return (
    <section className="setup-hints" aria-labelledby="setup-hints">
      <h2 id="setup-hints">Finish Account Setup</h2>
      <ul>
        {missing.map(({ text, to }) => (
          <li key={to}>
            <Circle aria-hidden />
            <Link to={linkTo(to)}>{text}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
