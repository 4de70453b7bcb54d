import { plural, type SbcAddress, type SmppAddress, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { ownAccount } from '../../lib/access'
import { query } from '../../lib/api'
import { signallingAddresses } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useCurrentProvider } from '../../lib/use-provider'
import { Button, IconButton } from '../../ui/button'
import { copyWithToast } from '../../ui/copy'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'
import './addresses.css'

const sbcLines = ({ ipv4, port, tls_port, wss_port }: SbcAddress) => [
  `${ipv4}:${port}`,
  ...(tls_port ? [`${ipv4}:${tls_port} (TLS)`] : []),
  ...(wss_port ? [`${ipv4}:${wss_port} (WSS)`] : []),
]
const smppLine = ({ ipv4, port, use_tls }: SmppAddress) =>
  `${ipv4}:${port}${use_tls ? ' (TLS)' : ''}`

/** SIP addresses that calls to the carrier come from, for its allow-list. */
export function SipAddresses({ isOpen }: { isOpen: boolean }) {
  const provider = useCurrentProvider()
  const owner = ownAccount() ? {} : { service_provider_sid: provider }
  const result = useQuery({
    ...query(signallingAddresses.sbcs, { query: owner }),
    enabled: isOpen,
    select: (all) => all.flatMap(sbcLines),
  })
  return (
    <Addresses title={t('Add these addresses to your carriers’ allow-lists')} result={result} />
  )
}

/** SMPP addresses that messages to the carrier come from, for its allow-list. */
export function SmppAddresses({ isOpen }: { isOpen: boolean }) {
  const result = useQuery({
    ...query(signallingAddresses.smpps, { query: {} }),
    enabled: isOpen,
    select: (all) => all.map(smppLine),
  })
  return (
    <Addresses title={t('Add these addresses to your carriers’ allow-lists')} result={result} />
  )
}

const addressOnly = (line: string) => line.replace(/ .*/, '')

function Addresses({
  title,
  result: { data, error },
}: {
  title: string
  result: { data: string[] | undefined; error: Error | null }
}) {
  return (
    <Section
      title={title}
      action={
        data &&
        data.length > 1 && (
          <Button
            size="small"
            onClick={() =>
              void copyWithToast(
                data.map(addressOnly).join('\n'),
                plural(data.length, '1 address|{n} addresses'),
              )
            }
          >
            {t('Copy all')}
          </Button>
        )
      }
    >
      {error && <Notice tone="warn">{messageOf(error)}</Notice>}
      {data?.length === 0 && <p className="field-help">{t('No SBC has registered yet.')}</p>}
      {data && data.length > 0 && (
        <ul className="addresses">
          {data.map((line) => (
            <li key={line}>
              <code>{line}</code>
              <IconButton
                label={t('Copy {address}', { address: addressOnly(line) })}
                onClick={() => void copyWithToast(addressOnly(line))}
              >
                <Copy />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
