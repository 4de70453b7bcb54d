import { msg, type Program, t } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { mayWrite } from '../../lib/access'
import { query, send } from '../../lib/api'
import { DeleteDialog } from '../../lib/delete-dialog'
import { programs } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { type Column, Table } from '../../lib/table'
import { Button } from '../../ui/button'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'
import { EmptyState } from '../../ui/states'
import { TextField } from '../../ui/text-field'
import { Time } from '../../ui/time'
import { toastSuccess } from '../../ui/toast'

const columns: Column<Program>[] = [
  {
    header: msg('Name'),
    cell: ({ name, is_self_registered }) =>
      is_self_registered ? t('{name} (registered itself)', { name }) : name,
  },
  { header: msg('Client ID'), cell: (p) => p.program_sid },
  { header: msg('Returns to'), cell: (p) => p.redirect_uris.join(', ') },
  { header: msg('Added'), cell: (p) => <Time at={p.created_at} /> },
]

/** Programs that people may connect, such as assistants. */
export function Programs() {
  const list = useQuery({
    ...query(programs.list, {}),
    select: (data) => ({ data, total: data.length }),
  })
  const [adding, setAdding] = useState(false)
  const [deleting, setDeleting] = useState<Program>()
  return (
    <Section
      title={t('Programs')}
      about={t(
        'Programs that people may connect to their own log-in, such as assistants. The command line needs no entry.',
      )}
      action={
        mayWrite() && (
          <Button size="small" onClick={() => setAdding(true)}>
            <Plus aria-hidden />
            {t('Add program')}
          </Button>
        )
      }
    >
      <Table
        label={msg('Programs')}
        columns={columns}
        query={list}
        search={{}}
        rowKey={(p) => p.program_sid}
        actions={(p) =>
          mayWrite()
            ? [
                {
                  label: t('Delete program'),
                  icon: <Trash2 />,
                  onClick: () => setDeleting(p),
                  danger: true,
                },
              ]
            : []
        }
        empty={<EmptyState text={t('No programs yet.')} />}
      />
      {adding && <AddProgram onClose={() => setAdding(false)} />}
      {deleting && (
        <DeleteDialog
          endpoint={programs.remove}
          sent={{ params: { program_sid: deleting.program_sid } }}
          title={t('Delete program')}
          question={t(
            'Are you sure you want to delete {name}? It is disconnected from everybody.',
            {
              name: deleting.name,
            },
          )}
          done={t('Deleted program {name}', { name: deleting.name })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Section>
  )
}

function AddProgram({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const add = useMutation({
    mutationFn: () => send(programs.create, { body: { name, redirect_uris: [address.trim()] } }),
    onSuccess: () => {
      onClose()
      toastSuccess(t('Added program {name}', { name }))
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('Add a program')}>
      <div className="dialog-body">
        <TextField label={t('Name')} value={name} onChange={setName} />
        <TextField
          label={t('Redirect URI')}
          value={address}
          onChange={setAddress}
          mono
          help={t(
            'From the program’s documentation. On a person’s own machine, such as http://localhost/callback, any port is allowed.',
          )}
        />
        {add.error && <Notice tone="bad">{messageOf(add.error)}</Notice>}
        <DialogFoot>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            look="primary"
            busy={add.isPending}
            disabled={!name.trim() || !address.trim()}
            onClick={() => add.mutate()}
          >
            {t('Add program')}
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  )
}
