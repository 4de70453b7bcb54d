import type { File as ConfigFile } from '@switchroom/config/files'
import type { Place } from '@switchroom/config/problem'
import type { Owner } from '@switchroom/config/read'
import { plural, t } from '@switchroom/contract'
import { X } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { mayWrite } from '../../lib/access'
import { Button, IconButton } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { Apply } from './apply'
import { dropped, ofFolder, textsOf } from './chosen-files'
import { type Chosen, compare, type Entered, read } from './comparison'
import { FileView, type Shown } from './file-view'
import { keyOf } from './owner'
import { Problems } from './problems'
import { useWork } from './use-work'
import { VariableFields } from './variable-fields'

type Props = {
  owner: Owner
  isNew: boolean
  /** While changes are made, nobody chooses another owner. */
  onBusy: (isBusy: boolean) => void
}

/** Compares files with what an owner has, shows what would change, and changes it. */
export function Compare({ owner, isNew, onBusy }: Props) {
  const [entered, setEntered] = useState<Entered>({ values: {}, secrets: {}, sent: new Set() })
  const [shown, setShown] = useState<Shown>()
  const [applying, setApplying] = useState(false)
  const reading = useWork((make: () => Promise<Chosen>) => make())
  const files = reading.data?.files ?? []
  /** Files after all changes so far, of which the last may still be read. */
  const latest = useRef(Promise.resolve<ConfigFile[]>([]))
  const comparing = useWork(compare)
  const { plan, problems = reading.data?.problems } = comparing.data ?? {}

  // what was compared is of one owner
  const key = `${keyOf(owner)} ${isNew}`
  const compared = useRef(key)
  const { reset } = comparing
  useEffect(() => {
    if (compared.current !== key) reset()
    compared.current = key
  }, [key, reset])

  const change = (next: (files: ConfigFile[]) => ConfigFile[] | Promise<ConfigFile[]>) => {
    comparing.reset()
    const before = latest.current
    const now = before.then(next)
    // files that cannot be read change nothing
    latest.current = now.catch(() => before)
    void reading.run(async () => read(await now))
  }
  const take = (chosen: File[] | Promise<File[]>) =>
    change(async (files) => {
      const added = await textsOf(await chosen)
      const names = added.map(({ name }) => name)
      return [...files.filter(({ name }) => !names.includes(name)), ...added]
    })
  const remove = (name: string) => change((files) => files.filter((file) => file.name !== name))
  const start = (now = entered) => reading.data && comparing.run(reading.data, owner, isNew, now)
  const show = ({ file, line }: Place) => {
    const found = files.find(({ name }) => name === file)
    if (found) setShown({ ...found, line })
  }
  const enter = (next: Entered) => {
    setEntered(next)
    // what is missing is told until it is compared again; a plan is of other values
    if (plan) comparing.reset()
  }
  return (
    <>
      {!mayWrite() && (
        <Notice tone="info">
          {t('You have view-only access: you can export and compare, but not apply.')}
        </Notice>
      )}
      <Drop disabled={applying} onFiles={take} />
      {reading.error && <Notice tone="bad">{reading.error}</Notice>}
      {files.length > 0 && (
        <ul className="config-chosen" aria-label={t('Chosen files')}>
          {files.map(({ name, text }) => (
            <li key={name}>
              <Button size="small" onClick={() => setShown({ name, text })}>
                {name}
              </Button>
              <IconButton
                label={t('Remove {name}', { name })}
                disabled={applying}
                onClick={() => remove(name)}
              >
                <X />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {reading.data && (
        <VariableFields
          chosen={reading.data}
          entered={entered}
          problems={problems}
          disabled={applying}
          onChange={enter}
        />
      )}
      {files.length > 0 && (
        <div className="config-actions">
          <Button
            look={plan ? 'plain' : 'primary'}
            busy={comparing.isPending || applying}
            onClick={() => void start()}
          >
            {comparing.isPending ? t('Comparing…') : plan ? t('Compare again') : t('Compare')}
          </Button>
          {problems && problems.length > 0 && (
            <span role="status">{plural(problems.length, '1 problem|{n} problems')}</span>
          )}
        </div>
      )}
      {comparing.error && <Notice tone="bad">{comparing.error}</Notice>}
      {problems && <Problems problems={problems} onShow={show} />}
      <Apply
        plan={plan}
        onShow={show}
        onApplying={(isApplying) => {
          setApplying(isApplying)
          onBusy(isApplying)
        }}
        onMade={(isAll) => {
          const sent = isAll ? new Set(Object.keys(entered.secrets)) : entered.sent
          setEntered({ ...entered, sent })
          comparing.reset()
          void start({ ...entered, sent })
        }}
      />
      {shown && <FileView file={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

/** Takes files, folders and archives: dropped, or chosen. */
function Drop({
  disabled,
  onFiles,
}: {
  disabled: boolean
  onFiles: (files: File[] | Promise<File[]>) => void
}) {
  const [isOver, setIsOver] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const over = (e: DragEvent) => {
    e.preventDefault()
    setIsOver(!disabled)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons do the same by keyboard
    <div
      className="config-drop"
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={(e) => {
        over(e)
        setIsOver(false)
        if (!disabled) onFiles(dropped(e.dataTransfer))
      }}
    >
      <p>{t('Drop .yaml files, a .zip of them or a folder here.')}</p>
      <Button disabled={disabled} onClick={() => files.current?.click()}>
        {t('Choose files')}
      </Button>
      <Button disabled={disabled} onClick={() => folder.current?.click()}>
        {t('Choose a folder')}
      </Button>
      <input
        ref={files}
        type="file"
        hidden
        multiple
        accept=".yaml,.yml,.zip"
        onChange={({ target }) => {
          const chosen = [...(target.files ?? [])]
          // the same file can be chosen again after it was changed
          target.value = ''
          if (chosen.length > 0) onFiles(chosen)
        }}
      />
      <input
        ref={folder}
        type="file"
        hidden
        {...{ webkitdirectory: '' }}
        onChange={({ target }) => {
          const chosen = ofFolder([...(target.files ?? [])])
          target.value = ''
          onFiles(chosen)
        }}
      />
    </div>
  )
}
