import { API_KEY_KINDS, type ApiKeyKind, apiKeys, entriesOf, Network } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../lib/api'
import { messageOf } from '../../lib/failure'
import { Button } from '../../ui/button'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { RadioField } from '../../ui/radio-field'
import { SelectField } from '../../ui/select'
import { TextField } from '../../ui/text-field'
import { toastSuccess } from '../../ui/toast'
import { Checkbox } from '../../ui/toggle'
import { NewKeyDialog } from './token'

export type Owner = { account_sid: string } | { service_provider_sid: string }

const DAY = 86_400
const LIFETIMES = [
  { value: '', label: 'Never' },
  { value: String(30 * DAY), label: 'In 30 days' },
  { value: String(90 * DAY), label: 'In 90 days' },
  { value: String(365 * DAY), label: 'In a year' },
]
const ACCESS = [
  { value: '', label: 'Read and write' },
  { value: 'view', label: 'Read only, secrets masked' },
]
const COVERS = [
  { value: '', label: 'Everything' },
  { value: 'some', label: 'Selected kinds' },
]

const partsOf = (text: string) => text.split(/[\s,]+/).filter((part) => part !== '')

/** Why the networks are invalid, or undefined. */
const problemOf = (networks: string) =>
  partsOf(networks)
    .map((part) => Network.safeParse(part).error?.issues[0]?.message)
    .find((message) => message !== undefined)

/** Creates a key; with a name and limits, if the server has them. */
export function NewKey({
  owner,
  hasLimits,
  onClose,
}: {
  owner: Owner
  hasLimits: boolean
  onClose: () => void
}) {
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState('')
  const [access, setAccess] = useState('')
  const [covers, setCovers] = useState('')
  const [kinds, setKinds] = useState<ApiKeyKind[]>([])
  const [networks, setNetworks] = useState('')
  const [checked, setChecked] = useState(false)
  const wrongNetworks = problemOf(networks)
  const noKind = covers !== '' && kinds.length === 0
  const make = useMutation({
    mutationFn: () =>
      send(apiKeys.create, {
        body: {
          ...owner,
          ...(lifetime && { expiry_secs: Number(lifetime) }),
          ...(hasLimits && {
            name,
            view_only: access === 'view',
            kinds: covers ? kinds : null,
            networks: partsOf(networks),
          }),
        },
      }),
    onSuccess: () => toastSuccess('API key created'),
  })
  const submit = () => {
    setChecked(true)
    if (!make.isPending && !wrongNetworks && !noKind) make.mutate()
  }
  if (make.data) return <NewKeyDialog token={make.data.token} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title="Add an API key">
      <form
        className="dialog-body"
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          submit()
        }}
      >
        {hasLimits && (
          <TextField
            label="Name"
            optional
            help="Which program uses it, such as Billing export."
            maxLength={64}
            value={name}
            onChange={setName}
          />
        )}
        <SelectField label="Expires" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
        {hasLimits && (
          <>
            <RadioField label="Access" options={ACCESS} value={access} onChange={setAccess} />
            <RadioField
              label="Covers"
              options={COVERS}
              value={covers}
              onChange={setCovers}
              error={checked && noKind ? 'Select at least one kind' : undefined}
            />
            {covers && (
              <div className="columns">
                {entriesOf(API_KEY_KINDS).map(([kind, label]) => (
                  <Checkbox
                    key={kind}
                    label={label}
                    value={kinds.includes(kind)}
                    onChange={(on) =>
                      setKinds(on ? [...kinds, kind] : kinds.filter((k) => k !== kind))
                    }
                  />
                ))}
              </div>
            )}
            <TextField
              label="Networks"
              optional
              mono
              help="IP addresses or networks it may be used from, separated by commas. Leave blank for any."
              error={checked ? wrongNetworks : undefined}
              placeholder="203.0.113.0/24"
              value={networks}
              onChange={setNetworks}
            />
          </>
        )}
        {make.error && <Notice tone="bad">{messageOf(make.error)}</Notice>}
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={make.isPending}>
            {make.isPending ? 'Adding key…' : 'Add key'}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
