import { t } from '@switchroom/contract'
import { useState } from 'react'
import { setSingleKeys, singleKeysAreOn } from '../lib/single-keys'
import { useProvider } from '../lib/use-provider'
import { Dialog } from '../ui/dialog'
import { Switch } from '../ui/toggle'
import { pages } from './go-to'
import { MOD } from './keys'
import './key-sheet.css'

/** Alternatives are listed apart: each is one key, or several. */
type Keys = [what: string, ...alternatives: string[][]][]

const groups: { title: string; keys: Keys }[] = [
  {
    title: t('Lists'),
    keys: [
      [t('Next row'), ['↓'], ['j']],
      [t('Previous row'), ['↑'], ['k']],
      [t('First, last row'), [t('Home')], [t('End')]],
      [t('Controls of the row'), ['←'], ['→']],
      [t('Peek'), [t('Space')]],
      [t('Open the row'), ['Enter']],
      [t('Edit'), ['e']],
      [t('Delete'), [t('Del')]],
      [t('Select'), ['x']],
      [t('Select up to here'), ['Shift', 'x']],
    ],
  },
  {
    title: t('Everywhere'),
    keys: [
      [t('Search'), [MOD, 'K']],
      [t('Filter the list'), ['/']],
      [t('From the filter to the list'), ['↓']],
      [t('Edit what is shown'), ['e']],
      [t('Save the form'), [MOD, 'S']],
      [t('Undo, while a notice offers it'), [MOD, 'Z']],
      [t('Show keyboard shortcuts'), ['?']],
    ],
  },
]

export function KeySheet({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(singleKeysAreOn)
  const provider = useProvider()
  const goTo = {
    title: t('Go to, one key after the other'),
    keys: pages(provider).map(({ label, key }): Keys[number] => [label, ['g', key]]),
  }
  return (
    <Dialog open wide onClose={onClose} title={t('Keyboard shortcuts')}>
      <div className="dialog-body">
        <div className="key-sheet">
          {[goTo, ...groups].map(({ title, keys }) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {keys.map(([what, ...alternatives]) => (
                  <div key={what}>
                    <dt>{what}</dt>
                    <dd>
                      {alternatives.map((together) => (
                        <span key={together.join()}>
                          {together.map((key) => (
                            <kbd key={key}>{key}</kbd>
                          ))}
                        </span>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <Switch
          label={t('Single-key shortcuts')}
          help={t('Turn off if you use speech input. Arrow keys keep working.')}
          value={on}
          onChange={(next) => {
            setSingleKeys(next)
            setOn(next)
          }}
        />
      </div>
    </Dialog>
  )
}
