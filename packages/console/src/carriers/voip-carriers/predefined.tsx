import { t } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ownAccount } from '../../lib/access'
import { query, send } from '../../lib/api'
import { predefinedCarriers } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useCurrentProvider } from '../../lib/use-provider'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { rich } from '../../ui/rich'
import { SelectField } from '../../ui/select'
import { toastSuccess } from '../../ui/toast'

/** Creates a carrier from a template, with the template's gateways, after confirmation. */
export function Predefined() {
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const list = useQuery(query(predefinedCarriers.list, {}))
  const [chosen, setChosen] = useState('')
  const template = list.data?.find((c) => c.predefined_carrier_sid === chosen)
  const add = useMutation({
    mutationFn: () => {
      const account_sid = ownAccount()
      const sid = { predefined_carrier_sid: chosen }
      return account_sid
        ? send(predefinedCarriers.addToAccount, { params: { account_sid, ...sid } })
        : send(predefinedCarriers.addToServiceProvider, {
            params: { service_provider_sid: provider, ...sid },
          })
    },
    onSuccess: ({ sid }) => {
      toastSuccess(t('Carrier created successfully'))
      return navigate({
        to: '/internal/carriers/$voip_carrier_sid/edit',
        params: { voip_carrier_sid: sid },
        ignoreBlocker: true,
      })
    },
  })
  if (!list.data?.length) return null
  return (
    <>
      <SelectField
        label={t('Select a predefined carrier')}
        optional
        options={[
          { value: '', label: t('None') },
          ...list.data.map((c) => ({ value: c.predefined_carrier_sid, label: c.name })),
        ]}
        value={chosen}
        onChange={setChosen}
        help={t('Adds the carrier with its known gateways. Complete it afterwards.')}
      />
      {template && (
        <ConfirmDialog
          open
          onClose={() => setChosen('')}
          title={t('Add {name}', { name: template.name })}
          confirm={t('Add {name}', { name: template.name })}
          look="primary"
          busy={add.isPending}
          error={add.error ? messageOf(add.error) : undefined}
          onConfirm={() => add.mutate()}
        >
          {rich(
            'This adds the carrier {name} with its gateways now. What you have entered here is not used.',
            { name: template.name },
          )}
        </ConfirmDialog>
      )}
    </>
  )
}
