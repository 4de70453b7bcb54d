import { type ClientSelection, plural, t } from '@switchroom/contract'
import { type ReactNode, useState } from 'react'
import { clients } from '../../lib/endpoints'
import { ManyDialog, updatedText } from '../../lib/many-dialog'
import { NOUNS } from '../../lib/many-text'
import type { ManyProps } from '../../lib/selection-actions'
import { SelectField } from '../../ui/select'

type Props = ManyProps<ClientSelection>
const noun = NOUNS.client

export const ActivateClients = (props: Props) => (
  <ChangeDialog
    {...props}
    title={plural(props.count, 'Activate 1 SIP client|Activate {n} SIP clients')}
    updated={(n) => plural(n, '1 SIP client activated|{n} SIP clients activated')}
    change={{ is_active: 1 }}
  >
    {t('Their devices can register again.')}
  </ChangeDialog>
)

export const DeactivateClients = (props: Props) => (
  <ChangeDialog
    {...props}
    title={plural(props.count, 'Deactivate 1 SIP client|Deactivate {n} SIP clients')}
    updated={(n) => plural(n, '1 SIP client deactivated|{n} SIP clients deactivated')}
    change={{ is_active: 0 }}
  >
    {t('Their devices can no longer register.')}
  </ChangeDialog>
)

const CALLING = [
  ['allow_direct_app_calling', t('Applications')],
  ['allow_direct_queue_calling', t('Queues')],
  ['allow_direct_user_calling', t('Other users')],
] as const
type Calling = (typeof CALLING)[number][0]

const CHOICES = [
  { value: '', label: t('Leave as it is') },
  { value: '1', label: t('Allow') },
  { value: '0', label: t('Do not allow') },
]

/** Sets what the selected clients may call without an application for SIP device calls. */
export function SetDirectCalling(props: Props) {
  const [chosen, setChosen] = useState<{ [name in Calling]?: 0 | 1 }>({})
  return (
    <ChangeDialog
      {...props}
      title={plural(props.count, 'Update 1 SIP client|Update {n} SIP clients')}
      change={Object.keys(chosen).length > 0 ? chosen : undefined}
    >
      {t('What these clients may call directly, without an application for SIP device calls.')}
      {CALLING.map(([name, label]) => (
        <SelectField
          key={name}
          label={label}
          options={CHOICES}
          value={String(chosen[name] ?? '')}
          onChange={(value) => {
            const { [name]: _, ...others } = chosen
            setChosen(value ? { ...others, [name]: value === '1' ? 1 : 0 } : others)
          }}
        />
      ))}
    </ChangeDialog>
  )
}

const ChangeDialog = ({
  select,
  change,
  updated = (n) => plural(n, '1 SIP client updated|{n} SIP clients updated'),
  ...rest
}: Props & {
  title: string
  /** "2 SIP clients activated" */
  updated?: (changed: number) => string
  /** Undefined until something is chosen. */
  change: { [name in Calling | 'is_active']?: 0 | 1 } | undefined
  children: ReactNode
}) => (
  <ManyDialog
    {...rest}
    endpoint={clients.updateMany}
    sent={change && { body: { select, ...change } }}
    noun={noun}
    done={updatedText(rest.count, updated)}
  />
)

export const DeleteClients = ({ select, ...rest }: Props) => (
  <ManyDialog
    {...rest}
    endpoint={clients.removeMany}
    sent={{ body: { select } }}
    noun={noun}
    title={plural(rest.count, 'Delete 1 SIP client|Delete {n} SIP clients')}
    done={({ deleted }) => plural(deleted, '1 SIP client deleted|{n} SIP clients deleted')}
    danger
  >
    {t('Their devices can no longer register.')}
  </ManyDialog>
)
