import type { Owner } from '@switchroom/config/read'
import { numberText, t } from '@switchroom/contract'
import { useState } from 'react'
import { sizeText } from '../../health/system-health/size-text'
import { saveFile } from '../../lib/save-file'
import { Button } from '../../ui/button'
import { copyWithToast } from '../../ui/copy'
import { Notice } from '../../ui/notice'
import { TableHead } from '../../ui/table-head'
import { FileView, type Shown } from './file-view'
import { keyOf, nameOf } from './owner'
import { useWork } from './use-work'
import '../../lib/table.css'

type Exported = {
  owner: string
  texts: Map<string, string>
  asOneFile: () => string
  archive: () => Promise<Uint8Array<ArrayBuffer>>
  excuses: { title: string; why: string }[]
}

async function exportOf(owner: Owner): Promise<Exported> {
  const { KINDS, EXCUSES, ...engine } = await import('./engine')
  const texts = await engine.exported(engine.client, owner, engine.yieldIfDue)
  const schemas = () =>
    KINDS.filter(({ file }) => texts.has(`${file}.yaml`)).map(
      (kind) =>
        [
          `.schema/${kind.file}.json`,
          `${JSON.stringify(engine.schemaOf(kind), null, 2)}\n`,
        ] as const,
    )
  return {
    owner: keyOf(owner),
    texts,
    asOneFile: () => engine.asOneFile(texts),
    excuses: Object.values(EXCUSES),
    archive: async () => {
      const { strToU8, zipSync } = await import('fflate')
      const files = [...texts, ...schemas()]
      return zipSync(Object.fromEntries(files.map(([name, text]) => [name, strToU8(text)])))
    },
  }
}

/** Configuration of an owner as files to read, copy or save. */
export function Export({ owner, isNew }: { owner: Owner; isNew: boolean }) {
  const { run, isPending = false, data, error } = useWork(exportOf)
  const [shown, setShown] = useState<Shown>()
  const done = data?.owner === keyOf(owner) ? data : undefined
  if (isNew)
    return <p className="hint">{t('There is nothing to export yet. Choose an account.')}</p>
  return (
    <>
      <div className="config-actions">
        <Button look={done ? 'plain' : 'primary'} busy={isPending} onClick={() => void run(owner)}>
          {isPending ? t('Exporting…') : done ? t('Export again') : t('Export')}
        </Button>
        {done && done.texts.size > 0 && (
          <>
            <Button look="primary" onClick={() => void saveArchive(owner, done)}>
              {t('Download all as .zip')}
            </Button>
            <Button onClick={() => void copyWithToast(done.asOneFile(), t('The configuration'))}>
              {t('Copy as one file')}
            </Button>
          </>
        )}
      </div>
      {error && <Notice tone="bad">{error}</Notice>}
      {done && (done.texts.size > 0 ? <Files exported={done} onShow={setShown} /> : <Nothing />)}
      {done && <Excuses excuses={done.excuses} />}
      {shown && <FileView file={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

async function saveArchive(owner: Owner, { archive }: Exported) {
  const name = nameOf(owner).replace(/[^\p{L}\p{N}.-]+/gu, '-')
  saveFile(new Blob([await archive()], { type: 'application/zip' }), `configuration-${name}.zip`)
}

const Nothing = () => <p className="hint">{t('There is nothing to export.')}</p>

function Files({
  exported: { texts },
  onShow,
}: {
  exported: Exported
  onShow: (shown: Shown) => void
}) {
  return (
    <div className="table-box">
      <table className="table" aria-label={t('Files')}>
        <TableHead
          of={[t('File'), { end: t('Resources') }, { end: t('Size') }, { hidden: t('Actions') }]}
        />
        <tbody>
          {[...texts].map(([name, text]) => {
            const blob = new Blob([text], { type: 'application/yaml' })
            return (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td data-label={t('Resources')} data-align="end">
                  {numberText(text.match(/^- /gm)?.length ?? 0)}
                </td>
                <td data-label={t('Size')} data-align="end">
                  {sizeText(blob.size)}
                </td>
                <td>
                  <Button
                    size="small"
                    look="quiet"
                    aria-label={t('View {name}', { name })}
                    onClick={() => onShow({ name, text })}
                  >
                    {t('View')}
                  </Button>{' '}
                  <Button
                    size="small"
                    look="quiet"
                    aria-label={t('Download {name}', { name })}
                    onClick={() => saveFile(blob, name)}
                  >
                    {t('Download')}
                  </Button>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const Excuses = ({ excuses }: Pick<Exported, 'excuses'>) => (
  <details className="config-part">
    <summary>{t('Not in these files')}</summary>
    <p className="hint">
      {t(
        'Secrets appear as env:NAME?. If you apply the files without their values, the stored secrets stay unchanged.',
      )}
    </p>
    <ul className="config-excuses">
      {excuses.map(({ title, why }) => (
        <li key={title}>{t('{title}: {why}.', { title, why })}</li>
      ))}
    </ul>
  </details>
)
