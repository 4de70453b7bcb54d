import type { ClientSelection } from '@switchroom/contract'
import { type ReactNode, useState } from 'react'
import { clients } from '../../lib/endpoints'
import { deletedText, ManyDialog, updatedText } from '../../lib/many-dialog'
import { NOUNS } from '../../lib/many-text'
import type { ManyProps } from '../../lib/selection-actions'
import { SelectField } from '../../ui/select'

type Props = ManyProps<ClientSelection>
const noun = NOUNS.client

export const ActivateClients = (props: Props) => (
  <ChangeDialog {...props} verb="Activate" updated="activated" change={{ is_active: 1 }}>
    Their devices can register again.
  </ChangeDialog>
)

export const DeactivateClients = (props: Props) => (
  <ChangeDialog {...props} verb="Deactivate" updated="deactivated" change={{ is_active: 0 }}>
    Their devices can no longer register.
  </ChangeDialog>
)

const CALLING = [
  ['allow_direct_app_calling', 'Applications'],
  ['allow_direct_queue_calling', 'Queues'],
  ['allow_direct_user_calling', 'Other users'],
] as const
type Calling = (typeof CALLING)[number][0]

const CHOICES = [
  { value: '', label: 'Leave as it is' },
  { value: '1', label: 'Allow' },
  { value: '0', label: 'Do not allow' },
]

/** What clients may call without an application for SIP device calls. */
export function SetDirectCalling(props: Props) {
  const [chosen, setChosen] = useState<{ [name in Calling]?: 0 | 1 }>({})
  return (
    <ChangeDialog
      {...props}
      verb="Update"
      change={Object.keys(chosen).length > 0 ? chosen : undefined}
    >
      What these clients may call directly, without an application for SIP device calls.
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
  updated,
  ...rest
}: Props & {
  verb: string
  /** "activated" */
  updated?: string
  /** Undefined until something is chosen. */
  change: { [name in Calling | 'is_active']?: 0 | 1 } | undefined
  children: ReactNode
}) => (
  <ManyDialog
    {...rest}
    endpoint={clients.updateMany}
    sent={change && { body: { select, ...change } }}
    noun={noun}
    done={updatedText(rest.count, noun, updated)}
  />
)

export const DeleteClients = ({ select, ...rest }: Props) => (
  <ManyDialog
    {...rest}
    endpoint={clients.removeMany}
    sent={{ body: { select } }}
    noun={noun}
    verb="Delete"
    done={deletedText(noun)}
    danger
  >
    Their devices can no longer register.
  </ManyDialog>
)
