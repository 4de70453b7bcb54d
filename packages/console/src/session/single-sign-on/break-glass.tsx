import { t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { query } from '../../lib/api'
import { users } from '../../lib/endpoints'
import { errorOf, useListField } from '../../lib/form-fields'
import { SEARCH_PAGE } from '../../lib/pickers'
import { IconButton } from '../../ui/button'
import { ComboboxField } from '../../ui/combobox-field'
import { useReadOnly } from '../../ui/field'
import type { Values } from './values'

type User = Values['break_glass'][number]

/** Chooses users; each can be removed. */
export function BreakGlassUsers() {
  const readOnly = useReadOnly()
  const field = useListField<User>(
    t('Break-glass users'),
    (chosen) => chosen.map((u) => u.name).join(', ') || t('None'),
  )
  const [filter, setFilter] = useState('')
  const [opened, setOpened] = useState(false)
  const list = useQuery({
    ...query(users.list, { query: { ...SEARCH_PAGE, filter: filter || undefined } }),
    placeholderData: keepPreviousData,
    enabled: opened,
  })
  const chosen = field.state.value
  const found = list.data?.data ?? []
  const add = (sid: string) => {
    const user = found.find((u) => u.user_sid === sid)
    if (user && !chosen.some((u) => u.user_sid === sid))
      field.handleChange([...chosen, { user_sid: sid, name: user.name }])
  }
  return (
    <div className="break-glass">
      {!readOnly && (
        <ComboboxField
          key={chosen.length}
          label={t('Break-glass users')}
          optional
          help={t(
            'They may use their password while single sign-on is enforced. At least one must be an administrator.',
          )}
          error={errorOf(field.state.meta)}
          value=""
          onChange={add}
          onSearch={setFilter}
          onOpen={() => setOpened(true)}
          loading={list.isFetching}
          placeholder={t('Add a user')}
          options={found.map((u) => ({ value: u.user_sid, label: u.name, note: u.email }))}
        />
      )}
      {chosen.length > 0 && (
        <ul aria-label={t('Chosen break-glass users')}>
          {chosen.map((user) => (
            <li key={user.user_sid}>
              {user.name}
              {!readOnly && (
                <IconButton
                  label={t('Remove {name}', { name: user.name })}
                  onClick={() =>
                    field.handleChange(chosen.filter((u) => u.user_sid !== user.user_sid))
                  }
                >
                  <X />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
