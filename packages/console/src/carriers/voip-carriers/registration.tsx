import { t } from '@switchroom/contract'
import { Status } from '../../ui/status'

/** The registration status as text. */
function registration({
  register_status: { status },
}: {
  register_status: Record<string, unknown>
}) {
  if (!status) return { tone: 'off', word: t('Not Started') } as const
  return status === 'ok'
    ? ({ tone: 'ok', word: t('Registered') } as const)
    : ({ tone: 'bad', word: t('Unregistered') } as const)
}

/** Registration state of a carrier, as the platform last wrote it. */
export function Registration({ carrier }: { carrier: Parameters<typeof registration>[0] }) {
  const { tone, word } = registration(carrier)
  return <Status tone={tone}>{word}</Status>
}
