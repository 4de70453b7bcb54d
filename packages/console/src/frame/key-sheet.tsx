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
    title: 'Lists',
    keys: [
      ['Next row', ['↓'], ['j']],
      ['Previous row', ['↑'], ['k']],
      ['First, last row', ['Home'], ['End']],
      ['Controls of the row', ['←'], ['→']],
      ['Peek', ['Space']],
      ['Open', ['Enter']],
      ['Edit', ['e']],
      ['Delete', ['Delete']],
      ['Select', ['x']],
      ['Select up to here', ['Shift', 'x']],
    ],
  },
  {
    title: 'Everywhere',
    keys: [
      ['Search', [MOD, 'K']],
      ['Filter the list', ['/']],
      ['From the filter to the list', ['↓']],
      ['Edit the thing shown', ['e']],
      ['Save the form', [MOD, 'S']],
      ['Undo, while a notice offers it', [MOD, 'Z']],
      ['Show keyboard shortcuts', ['?']],
    ],
  },
]

export function KeySheet({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(singleKeysAreOn)
  const provider = useProvider()
  const goTo = {
    title: 'Go to, one key after the other',
    keys: pages(provider).flatMap(({ label, key }): Keys => (key ? [[label, ['g', key]]] : [])),
  }
  return (
    <Dialog open wide onClose={onClose} title="Keyboard shortcuts">
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
          label="Single-key shortcuts"
          help="Turn off if you use speech input. Arrow keys keep working."
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
